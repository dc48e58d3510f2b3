// NoGo over the SAU protocol: the first free point.
const readline = require("readline");

const points = [..."ABCDEFGHI"].flatMap((x) => [..."ABCDEFGHI"].map((y) => x + y));
let taken = new Set();

function answer() {
  const point = points.find((point) => !taken.has(point));
  taken.add(point);
  console.log("move " + point);
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, word] = line.trim().split(/\s+/);
  if (command === "name?") console.log("name starter");
  else if (command === "new") {
    taken = new Set();
    if (word === "black") answer();
  } else if (command === "move") {
    taken.add(word);
    answer();
  } else if (command === "quit") process.exit(0);
});
