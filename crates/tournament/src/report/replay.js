// One game: its board ply by ply, and its record.

/** A row of the list by its parts. */
const row = ([number, round, black, white, result, reason, plies, usedBlack, usedWhite, shown], index) => ({
  index, number, round, result, reason, plies, shown, engines: [black, white], used: [usedBlack, usedWhite],
});
const rows = facts.games.map(row);

/** A game's data, read when somebody wants to see it. */
const readGame = (number) => JSON.parse(document.getElementById(`game-${number}`).textContent);

/** A position that steps are applied to. */
class Position {
  pieces = new Map();
  marks = new Map();
  notes = new Map();
  last = [];
  geometry = 0;

  /** Makes one step, as report/album.rs describes it. */
  apply([pieces = [], marks = [], last = 0, notes = [], geometry = null]) {
    const named = [];
    for (let at = 0; at < pieces.length; at += 2) {
      const [spot, look] = [pieces[at], pieces[at + 1]];
      const thing = facts.album.looks[Math.abs(look) - 1];
      if (look === 0) this.pieces.delete(spot);
      else this.pieces.set(spot, look > 0 ? [thing] : [...(this.pieces.get(spot) || []), thing]);
      named.push(spot);
    }
    for (let at = 0; at < marks.length; at += 2) {
      const key = `${marks[at]} ${marks[at + 1]}`;
      if (!this.marks.delete(key)) this.marks.set(key, [marks[at], facts.album.marks[marks[at + 1]]]);
    }
    for (let at = 0; at < notes.length; at += 2) {
      if (notes[at + 1] === null) this.notes.delete(notes[at]);
      else this.notes.set(notes[at], notes[at + 1]);
    }
    this.last = last === 0 ? named : last;
    if (geometry !== null) this.geometry = geometry;
  }
}

/** The record of a game, whole again. */
const recordOf = (game) => {
  const { album } = facts;
  const record = { ...album.base, ...game.record };
  for (const key of game.missing || []) delete record[key];
  const [black, white] = game.players.map((player) => album.players[player]);
  record.seats = { black, white };
  const ends = { p: "played", r: "refused", l: "lost" };
  record.plies = (game.plies || []).map((ply, index) => {
    const step = { mover: game.movers[index] === "b" ? "black" : "white", ply };
    step.end = ends[game.ends ? game.ends[index] : "p"];
    if (game.ms && game.ms[index] !== null) step.ms = game.ms[index];
    if (game.stall_ms && game.stall_ms[index] !== null) step.stall_ms = game.stall_ms[index];
    return step;
  });
  return record;
};

/** The bytes boyi itself would write: one line a field, one line a ply. */
const recordText = (record) => {
  const lines = Object.entries(record).map(([key, value]) => {
    const list = key === "plies" && value.length;
    const text = list ? `[\n${value.map((ply) => `    ${JSON.stringify(ply)}`).join(",\n")}\n  ]` : JSON.stringify(value);
    return `  ${JSON.stringify(key)}: ${text}`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
};

const download = (text, file) => {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  h("a", { href: address, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
};

/** How a game ended, in a sentence. */
const verdictText = ({ result, reason }) => {
  const words = say(facts.reasons[reason].text);
  const who = result < 2 ? t("wins", say(facts.game.sides[result])) : t(result === 2 ? "drawn-game" : "no-result");
  return words ? t("because", who, words) : who;
};

/** Signs on buttons: drawn, because fonts make emoji of the letters for them. */
const SIGNS = {
  first: "M4 3v10M13 3L6 8l7 5z",
  back: "M10 3L5 8l5 5",
  play: "M4 2.5L13 8l-9 5.5z",
  pause: "M5 3v10M11 3v10",
  forward: "M6 3l5 5-5 5",
  last: "M12 3v10M3 3l7 5-7 5z",
  before: "M13 8H3M7 4L3 8l4 4",
  after: "M3 8h10M9 4l4 4-4 4",
  save: "M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
};
const icon = (sign) => svg("svg", { viewBox: "0 0 16 16", class: `sign sign-${sign}`, "aria-hidden": "true" }, svg("path", { d: SIGNS[sign] }));

/** The window in which a game is replayed. */
class Replay {
  constructor() {
    this.element = h("dialog", { class: "replay", "aria-labelledby": "replay-title" });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("close", () => this.closed());
    this.row = null;
  }

  /** Shows a game; `list` is what "next game" goes through. */
  open(shown, list) {
    this.stop();
    this.row = shown;
    this.order = list.filter((other) => other.shown);
    this.game = readGame(shown.number);
    this.record = recordOf(this.game);
    this.steps = this.game.steps.length - 1;
    this.at = -1;
    this.draw();
    if (!this.element.open) this.element.showModal();
    this.go(Math.max(this.steps, 0));
    this.slider.focus();
    address(`#game-${shown.index + 1}`);
  }

  closed() {
    this.stop();
    this.row = null;
    address("#games");
  }

  /** Another game of the list. */
  turn(by) {
    const next = this.order[this.order.findIndex((other) => other.number === this.row.number) + by];
    if (next) this.open(next, this.order);
  }

  /** The board after so many steps. */
  go(to) {
    const wanted = Math.max(0, Math.min(to, this.steps));
    if (this.steps < 0 || wanted === this.at) return;
    if (wanted < this.at || this.at < 0) {
      this.position = new Position();
      this.at = -1;
    }
    while (this.at < wanted) this.position.apply(this.game.steps[++this.at]);
    if (this.position.geometry !== this.drawn) {
      this.drawn = this.position.geometry;
      this.board = new Board(facts.album.geometries[this.drawn]);
      this.place.replaceChildren(this.board.element);
    }
    // Nobody made the start.
    this.board.show({ pieces: this.position.pieces, marks: [...this.position.marks.values()], last: wanted ? this.position.last : [] });
    this.tell();
  }

  /** The texts that go with a step. */
  tell() {
    const { plies } = this.record;
    const line = this.at < this.steps ? this.turnText() : verdictText(this.row);
    this.headline.textContent = line;
    this.board.element.setAttribute("aria-label", line);
    const notes = [...this.position.notes].sort(([one], [other]) => one - other);
    this.notes.title = this.notes.textContent = notes.map(([note, value]) => `${say(facts.album.notes[note])} ${value}`).join(" · ");
    this.counter.textContent = `${this.at} / ${this.steps}`;
    this.slider.value = this.at;
    const used = { black: 0, white: 0 };
    for (const ply of plies.slice(0, this.at)) used[ply.mover] += ply.ms || 0;
    this.clocks.forEach((clock, side) => (clock.textContent = time(used[side ? "white" : "black"])));
    this.buttons.forEach((item, index) => {
      if (index === this.at - 1) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    const current = this.buttons[this.at - 1];
    if (current) this.plyBox.scrollTop = current.offsetTop - this.plyBox.offsetTop - this.plyBox.clientHeight / 2;
    else this.plyBox.scrollTop = 0;
  }

  turnText() {
    const next = this.record.plies[this.at];
    const side = next ? (next.mover === "black" ? 0 : 1) : null;
    return side === null ? t("plies-played", this.at) : t("to-move", say(facts.game.sides[side]), this.at);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      ArrowLeft: () => this.go(this.at - 1),
      ArrowRight: () => this.go(this.at + 1),
      Home: () => this.go(0),
      End: () => this.go(this.steps),
      PageUp: () => this.turn(-1),
      PageDown: () => this.turn(1),
      p: () => this.play(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    if (event.key !== "p") this.stop();
    acts[event.key]();
  }

  /** Steps on by itself, or stops doing so. */
  play() {
    if (this.timer) return this.stop();
    if (this.at >= this.steps) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.at + 1);
      if (this.at >= this.steps) this.stop();
    }, 700);
    this.player.replaceChildren(icon("pause"));
    this.player.setAttribute("aria-label", t("pause"));
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    if (!this.player) return;
    this.player.replaceChildren(icon("play"));
    this.player.setAttribute("aria-label", t("play"));
  }

  /** Everything but the position. */
  draw() {
    this.drawn = -1;
    this.place = h("div", { class: "board" }, this.steps < 0 ? h("p", {}, t("no-board")) : []);
    this.headline = h("p", { class: "headline", "aria-live": "polite" });
    this.notes = h("p", { class: "notes" });
    const move = (label, sign, act) => button(icon(sign), () => { this.stop(); act(); }, { "aria-label": label, title: label, class: "key" });
    this.player = button(icon("play"), () => this.play(), { class: "key", "aria-label": t("play"), title: `${t("play")} (P)` });
    this.slider = h("input", { type: "range", min: 0, max: Math.max(this.steps, 0), "aria-label": t("ply") });
    this.slider.addEventListener("input", () => { this.stop(); this.go(Number(this.slider.value)); });
    this.counter = h("output", { class: "counter" });
    const controls = h(
      "div",
      { class: "controls" },
      move(t("first-ply"), "first", () => this.go(0)),
      move(t("previous-ply"), "back", () => this.go(this.at - 1)),
      this.player,
      move(t("next-ply"), "forward", () => this.go(this.at + 1)),
      move(t("last-ply"), "last", () => this.go(this.steps)),
      this.slider,
      this.counter,
    );
    this.element.replaceChildren(
      this.head(),
      h(
        "div",
        { class: "replay-body" },
        h("div", { class: "stage" }, this.place, controls, this.headline, this.notes),
        h("div", { class: "aside" }, this.players(), this.verdict(), this.plyList()),
      ),
    );
  }

  head() {
    const at = this.order.findIndex((other) => other.number === this.row.number);
    const round = facts.isMatch ? "" : ` · ${t("round-number", this.row.round)}`;
    const turn = (label, sign, by) =>
      button(icon(sign), () => this.turn(by), { "aria-label": label, title: label, class: "key", disabled: !this.order[at + by] });
    return h(
      "header",
      { class: "replay-head" },
      h("h2", { id: "replay-title" }, t("game-number", this.row.index + 1), h("small", {}, round)),
      turn(t("previous-game"), "before", -1),
      turn(t("next-game"), "after", 1),
      button(
        [icon("save"), h("span", { class: "wide" }, t("download"))],
        () => download(recordText(this.record), `${facts.game.id}-${this.row.index + 1}.json`),
        { class: "key save", "aria-label": t("download"), title: t("download") },
      ),
      button(icon("close"), () => this.element.close(), { "aria-label": t("close"), title: t("close"), class: "key" }),
    );
  }

  players() {
    this.clocks = [0, 1].map(() => h("span", { class: "clock" }));
    return h(
      "div",
      { class: "players" },
      this.row.engines.map((engine, side) =>
        h(
          "div",
          { class: this.row.result === side ? "player won" : "player" },
          h("span", { class: `seat seat-${side}`, "aria-hidden": "true" }),
          h("span", { class: "player-name" }, name(engine), h("small", {}, say(facts.game.sides[side]))),
          this.clocks[side],
        ),
      ),
    );
  }

  verdict() {
    const { evidence } = this.record.verdict || {};
    // Fields for programs have no text here; the detail says the same in words.
    const shown = Object.entries(evidence || {}).filter(([key]) => key !== "lines" && facts.texts[`evidence-${key}`]);
    const value = (key, item) => {
      if (key === "seat") return say(facts.game.sides[item === "black" ? 0 : 1]);
      if (key === "detail") return say({ en: item, zh: evidence.detail_zh || item });
      if (key.endsWith("_ms")) return time(item);
      return typeof item === "string" ? item : JSON.stringify(item);
    };
    const rows = shown.map(([key, item]) => [t(`evidence-${key}`), value(key, item)]);
    for (const fact of (evidence && evidence.facts) || []) rows.push([say(fact.label), fact.value]);
    return h(
      "div",
      { class: "verdict" },
      h("p", { class: "verdict-text" }, verdictText(this.row)),
      rows.length > 0 && h("dl", {}, rows.map(([label, item]) => [h("dt", {}, label), h("dd", {}, item)])),
      evidence && evidence.lines && evidence.lines.length > 0 &&
        h("details", {}, h("summary", {}, t("evidence-lines")), h("pre", { tabindex: 0 }, evidence.lines.join("\n"))),
    );
  }

  plyList() {
    const { plies, opening_plies: opening = 0 } = this.record;
    this.buttons = plies.map((ply, index) => {
      const side = ply.mover === "black" ? 0 : 1;
      const tag = index < opening ? t("opening-ply") : ply.end === "refused" ? t("refused") : ply.end === "lost" ? t("lost-ply") : time(ply.ms);
      const label = `${index + 1}. ${say(facts.game.sides[side])} ${ply.ply}, ${tag}`;
      return button(
        [
          h("span", { class: "ply-number" }, String(index + 1)),
          h("span", { class: `seat seat-${side}` }),
          h("span", { class: "ply-text" }, ply.ply),
          h("span", { class: "ply-time" }, tag),
        ],
        () => { this.stop(); this.go(index + 1); },
        { class: ply.end === "refused" ? "ply refused" : "ply", "aria-label": label, title: ply.ply, tabindex: -1, disabled: index >= this.steps },
      );
    });
    this.plyBox = h("ol", { class: "plies", tabindex: 0, "aria-label": t("plies") }, this.buttons.map((item) => h("li", {}, item)));
    return this.plyBox;
  }
}

/** Names the game that is open in the address, so that it can be linked; some browsers do not let a file do that. */
const address = (hash) => {
  try {
    history.replaceState(null, "", hash);
  } catch {
    // A page without an address has no link either.
  }
};
