// NoGo over the SAU protocol: the first free point.
#include <iostream>
#include <set>
#include <string>

int main() {
    std::set<std::string> taken;
    std::string command, word;
    auto answer = [&taken]() {
        for (char x = 'A'; x <= 'I'; x++)
            for (char y = 'A'; y <= 'I'; y++)
                if (taken.insert(std::string{x, y}).second) {
                    std::cout << "move " << x << y << std::endl;
                    return;
                }
    };
    while (std::cin >> command && command != "quit") {
        if (command == "name?") {
            std::cout << "name starter" << std::endl;
        } else if (command == "new") {
            taken.clear();
            std::cin >> word;
            if (word == "black") answer();
        } else if (command == "move") {
            std::cin >> word;
            taken.insert(word);
            answer();
        }
    }
}
