// NoGo over the SAU protocol: the first free point.
import java.util.HashSet;
import java.util.Scanner;
import java.util.Set;

public class Starter {
    private final Set<String> taken = new HashSet<>();

    private void answer() {
        for (char x = 'A'; x <= 'I'; x++)
            for (char y = 'A'; y <= 'I'; y++)
                if (taken.add("" + x + y)) {
                    System.out.println("move " + x + y);
                    return;
                }
    }

    public static void main(String[] arguments) {
        Starter starter = new Starter();
        Scanner scanner = new Scanner(System.in);
        while (scanner.hasNextLine()) {
            String[] words = scanner.nextLine().trim().split("\\s+");
            switch (words[0]) {
                case "name?" -> System.out.println("name starter");
                case "new" -> {
                    starter.taken.clear();
                    if (words[1].equals("black")) starter.answer();
                }
                case "move" -> {
                    starter.taken.add(words[1]);
                    starter.answer();
                }
                case "quit" -> System.exit(0);
                default -> { }
            }
        }
    }
}
