// The list of all games, with filters, a page at a time.

const PAGE = 50;

const matches = (shown) => {
  const { engine, opponent, result, reason } = chosen;
  const at = engine === "" ? -1 : shown.engines.indexOf(Number(engine));
  if (engine !== "" && at < 0) return false;
  if (opponent !== "" && !shown.engines.includes(Number(opponent))) return false;
  if (reason !== "" && shown.reason !== Number(reason)) return false;
  if (result === "won") return at >= 0 && shown.result === at;
  if (result === "lost") return at >= 0 && shown.result === 1 - at;
  return result === "" || shown.result === Number(result);
};

const choice = (label, key, options, redraw) => {
  const select = h("select", {}, options.map(([value, text]) => h("option", { value, selected: String(value) === String(chosen[key]) }, text)));
  select.addEventListener("change", () => {
    chosen[key] = select.value;
    chosen.page = 0;
    redraw();
  });
  return h("label", {}, h("span", {}, label), select);
};

/** Chooses games and goes to the list. */
const filterGames = (filter) => {
  Object.assign(chosen, { engine: "", opponent: "", result: "", reason: "", page: 0 }, filter);
  drawGames();
  document.getElementById("games").scrollIntoView({ block: "start" });
  document.getElementById("games-title").focus({ preventScroll: true });
};

const resultText = (result) => ["1 – 0", "0 – 1", "½ – ½", "–"][result];

const gameRow = (shown, list) => {
  const open = () => replay.open(shown, list);
  const engine = (side) =>
    cell([h("span", { class: `seat seat-${side}`, "aria-hidden": "true" }), name(shown.engines[side])], {
      class: shown.result === side ? "name won" : "name",
    });
  const number = String(shown.index + 1);
  return h(
    "tr",
    shown.shown ? { class: "open", on: { click: (event) => event.target.closest("button") || open() } } : {},
    h("th", { scope: "row" }, shown.shown ? button(number, open, { class: "link", "aria-label": `${t("replay")} ${number}` }) : number),
    facts.isMatch ? null : cell(shown.round, { class: "number soft" }),
    engine(0),
    cell(resultText(shown.result), { class: "result" }),
    engine(1),
    cell(say(facts.reasons[shown.reason].text) || "–", { class: "reason" }),
    cell(shown.plies, { class: "number" }),
    cell(time(shown.used[0]), { class: "number soft" }),
    cell(time(shown.used[1]), { class: "number soft" }),
  );
};

const pager = (count) => {
  const pages = Math.max(1, Math.ceil(count / PAGE));
  const to = (page) => () => {
    chosen.page = page;
    drawGames();
    document.getElementById("games").scrollIntoView({ block: "start" });
  };
  const first = chosen.page * PAGE;
  return h(
    "div",
    { class: "pager" },
    h("span", { role: "status" }, t("games-shown", count ? first + 1 : 0, Math.min(first + PAGE, count), count)),
    pages > 1 && button(t("previous"), to(chosen.page - 1), { class: "plain", disabled: chosen.page === 0 }),
    pages > 1 && button(t("next"), to(chosen.page + 1), { class: "plain", disabled: chosen.page >= pages - 1 }),
  );
};

const filters = () => {
  const engines = ranked.map((engine) => [engine, name(engine)]);
  const all = (options) => [["", t("all")], ...options];
  const results = [[0, t("first-wins")], [1, t("second-wins")], [2, t("drawn-game")], [3, t("no-result")]];
  const own = chosen.engine === "" ? [] : [["won", t("engine-won")], ["lost", t("engine-lost")]];
  const reasons = facts.reasons.map((reason, index) => [index, say(reason.text) || "–"]);
  const any = ["engine", "opponent", "result", "reason"].some((key) => chosen[key] !== "");
  return h(
    "div",
    { class: "filters" },
    choice(t("engine"), "engine", all(engines), drawGames),
    choice(t("opponent"), "opponent", all(engines), drawGames),
    choice(t("result"), "result", all([...own, ...results]), drawGames),
    choice(t("reason"), "reason", all(reasons), drawGames),
    any && button(t("clear"), () => filterGames({}), { class: "plain" }),
  );
};

/** Draws the list anew; the rest of the page stays. */
const drawGames = () => {
  if (chosen.engine === "" && ["won", "lost"].includes(chosen.result)) chosen.result = "";
  const list = rows.filter(matches);
  const numbers = { class: "number" };
  const heads = [
    head("#"),
    facts.isMatch ? null : head(t("round"), numbers),
    head(t("first-mover")),
    head(t("result"), { class: "result" }),
    head(t("second-mover")),
    head(t("reason")),
    head(t("plies"), numbers),
    head([h("span", { class: "seat seat-0" }), t("time")], numbers),
    head([h("span", { class: "seat seat-1" }), t("time")], numbers),
  ];
  const shown = list.slice(chosen.page * PAGE, (chosen.page + 1) * PAGE).map((one) => gameRow(one, list));
  const listed = rows.filter((one) => !one.shown).length;
  const focused = document.activeElement && [...document.querySelectorAll("#games select")].indexOf(document.activeElement);
  document.getElementById("games").replaceChildren(
    h("h2", { id: "games-title", tabindex: -1 }, t("games")),
    filters(),
    table(t("games-caption"), { class: "games" }, heads, shown),
    pager(list.length),
    listed ? h("p", { class: "remark" }, t("listed-only", listed)) : "",
  );
  if (focused >= 0) document.querySelectorAll("#games select")[focused].focus();
};
