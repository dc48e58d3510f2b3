// The page as a whole.

const replay = new Replay();

/** Wins, draws and losses as a bar. */
const scoreBar = ({ wins, draws, losses }) =>
  h(
    "span",
    { class: "score-bar", role: "img", "aria-label": t("score-label", wins, draws, losses) },
    [["win", wins], ["draw", draws], ["loss", losses]].map(([kind, count]) =>
      count ? h("span", { class: kind, style: { "flex-grow": count } }) : null,
    ),
  );

const header = () => {
  const other = chosen.language === "en" ? "zh" : "en";
  const language = button(other === "zh" ? "中文" : "English", () => show(other), { class: "plain", lang: other });
  const theme = button(t("theme"), switchTheme, { class: "plain" });
  const state = facts.complete ? t("complete", rows.length) : t("under-way", rows.length);
  return h(
    "header",
    { class: "top" },
    h(
      "div",
      { class: "title" },
      h("p", { class: "eyebrow" }, `${say(facts.game.name)} · ${state}`),
      h("h1", {}, say(facts.title)),
    ),
    h("div", { class: "switches" }, language, theme),
  );
};

/** From what the system wants to the other one, and back. */
const switchTheme = () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
};

const navigation = (parts) =>
  h("nav", { "aria-label": t("contents") }, parts.filter(Boolean).map((part) => h("a", { href: `#${part.id}` }, part.querySelector("h2").textContent)));

const conditions = () =>
  h(
    "dl",
    { class: "conditions", "aria-label": t("conditions") },
    facts.conditions.map(([label, value]) => h("div", {}, h("dt", {}, say(label)), h("dd", {}, say(value)))),
  );

/** In place of an estimate: why there is none. */
const notMeasured = (why, shown) => (why ? h("abbr", { title: t("not-measurable", say(why)) }, shown) : shown);

/** What a reader must know before he believes the figures. */
const notices = () => {
  const { distinct, counted } = facts;
  const without = facts.isMatch ? [] : facts.table.filter((line) => line.notMeasured);
  const said = [
    ...facts.neverPlayed.map((engine) => t("notice-never-played", name(engine))),
    ...(distinct < counted ? [t("notice-repeated", distinct, counted)] : []),
    ...without.map((line) => t("notice-elo", name(line.entrant), say(line.notMeasured))),
  ];
  return said.length ? h("ul", { class: "notices" }, said.map((text) => h("li", {}, text))) : null;
};

const standings = () => {
  const rows = facts.table;
  const number = { class: "number" };
  const byes = rows.some((line) => line.byes > 0);
  const column = (shown, key, value) => shown && { key, value };
  const columns = [
    column(true, "points", (line) => h("strong", {}, line.score)),
    column(true, "elo", (line) => (line.elo ? withMargin(line.elo) : notMeasured(line.notMeasured, "–"))),
    column(true, "played", (line) => line.games),
    column(true, "won", (line) => line.wins),
    column(true, "drawn", (line) => line.draws),
    column(true, "lost", (line) => line.losses),
    column(true, "buchholz", (line) => points(line.buchholz * 2)),
    column(true, "median-buchholz", (line) => points(line.median_buchholz * 2)),
    column(true, "sonneborn-berger", (line) => line.sonneborn_berger.toFixed(2)),
    column(true, "direct-encounter", (line) => points(line.direct_encounter * 2)),
    column(true, "first-moves", (line) => line.first_moves),
    column(byes, "byes", (line) => line.byes),
  ].filter(Boolean);
  const body = rows.map((line) =>
    h(
      "tr",
      {},
      cell(line.rank, { class: "number rank" }),
      h("th", { scope: "row", class: "name" }, name(line.entrant)),
      cell(scoreBar(line), { class: "bar-cell" }),
      columns.map(({ key, value }) => cell(value(line), { class: key === "elo" ? "number elo" : "number" })),
    ),
  );
  const heads = [
    head("#", number),
    head(t("engine")),
    head(h("span", { class: "hidden" }, t("score"))),
    columns.map(({ key }) => head(h("abbr", { title: t(`about-${key}`) }, t(key)), number)),
  ];
  return section("standings", t("standings"), table(t("standings-caption"), { class: "standings" }, heads, body));
};

/** The colour of a cell: towards one hue for wins, another for losses. */
const tint = (counts) => {
  const share = halves(counts) / games(counts) / 2 - 0.5;
  return { "--hue": share >= 0 ? "var(--win)" : "var(--loss)", "--much": `${Math.round(Math.abs(share) * 2 * 46)}%` };
};

const crossTable = () => {
  const body = ranked.map((one, place) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", class: "name" }, h("span", { class: "rank" }, place + 1), name(one)),
      ranked.map((other) => {
        const counts = facts.cross[one][other];
        if (one === other) return h("td", { class: "self", "aria-hidden": "true" });
        if (!games(counts)) return cell("", { class: "empty" });
        const [losses, draws, wins] = counts;
        const label = t("cross-label", name(one), name(other), wins, draws, losses);
        const content = [h("strong", {}, points(halves(counts))), h("small", {}, `+${wins} =${draws} ${MINUS}${losses}`)];
        const filter = () => filterGames({ engine: one, opponent: other });
        return cell(button(content, filter, { "aria-label": label, title: label, class: "cross", style: tint(counts) }));
      }),
    ),
  );
  const heads = [head(t("engine")), ranked.map((engine, place) => head(h("abbr", { title: name(engine) }, place + 1), { class: "place" }))];
  return section(
    "cross-table",
    t("cross-table"),
    table(t("cross-caption"), { class: "cross-table" }, heads, body),
    h("p", { class: "remark" }, t("cross-remark")),
  );
};

const ratings = () => {
  const rows = facts.table.filter((line) => line.elo && isNumber(line.elo.value));
  if (!facts.ratings || !rows.length) return null;
  const { firstMove, drawRate } = facts.ratings;
  rows.sort((one, other) => other.elo.value - one.elo.value);
  return section(
    "ratings",
    t("ratings"),
    ratingChart(rows),
    h("p", { class: "remark" }, sentences(t("ratings-remark"), firstMove && t("first-move-remark", withMargin(firstMove), percent(drawRate, 1)))),
  );
};

/** What is known between two engines, seen from the first. */
const match = () => {
  const { match: score } = facts;
  if (!score || !games(score.results)) return null;
  const [losses, draws, wins] = score.results;
  const half = halves(score.results);
  const fact = (label, value, about) => h("div", {}, h("dt", {}, about ? h("abbr", { title: about }, label) : label), h("dd", {}, value));
  const { sprt, hypotheses } = score;
  return section(
    "match",
    t("match"),
    h(
      "div",
      { class: "duel" },
      h("span", { class: "duel-name" }, name(0)),
      h("span", { class: "duel-score" }, `${points(half)} : ${points(2 * games(score.results) - half)}`),
      h("span", { class: "duel-name" }, name(1)),
    ),
    scoreBar({ wins, draws, losses }),
    h(
      "dl",
      { class: "tiles" },
      fact(t("score"), `+${wins} =${draws} ${MINUS}${losses}`),
      fact(t("elo-difference"), score.elo ? withMargin(score.elo, 1) : t("not-measurable", say(score.notMeasured)), t("about-elo")),
      fact(t("normalized-elo"), withMargin(score.normalizedElo, 1), t("about-normalized-elo")),
      fact(t("superiority"), percent(score.superiority, 1), t("about-superiority")),
      facts.ratings && facts.ratings.firstMove && fact(t("first-move"), withMargin(facts.ratings.firstMove)),
      score.void ? fact(t("no-result"), score.void) : null,
    ),
    sum(score.pairs) > 0 && [h("h3", {}, t("pairs")), pairChart(score.pairs), h("p", { class: "remark" }, t("pairs-remark", name(0)))],
    sprt && [
      h("h3", {}, `SPRT: ${t(`sprt-${sprt.state}`)}`),
      testChart(sprt),
      h(
        "p",
        { class: "remark" },
        t("sprt-remark", plain(hypotheses.elo0), plain(hypotheses.elo1), t(`model-${hypotheses.model}`), percent(hypotheses.alpha), percent(hypotheses.beta)),
      ),
    ],
  );
};

const timeUsed = () => {
  const number = { class: "number" };
  const shared = facts.times.some((figures) => isNumber(figures.mean_share));
  const keys = ["timed-plies", "mean", "median", "p95", "max", ...(shared ? ["mean-share", "largest-share"] : []), "total"];
  const value = (figures, key) => {
    if (key === "timed-plies") return figures.plies;
    if (key === "mean-share") return percent(figures.mean_share, 1);
    if (key === "largest-share") return percent(figures.largest_share, 1);
    return time(figures[key]);
  };
  const body = ranked.map((engine) =>
    h("tr", {}, h("th", { scope: "row", class: "name" }, name(engine)), keys.map((key) => cell(value(facts.times[engine], key), number))),
  );
  return section(
    "time-used",
    t("time-used"),
    table(t("time-caption"), { class: "times" }, [head(t("engine")), keys.map((key) => head(t(key), number))], body),
    h("h3", {}, t("distribution")),
    timeChart(ranked),
    h("p", { class: "remark" }, sentences(t("time-remark"), facts.plyLimit && t("limit-remark", time(facts.plyLimit)))),
  );
};

/** Reasons have colours by how often they occur: cool ones for the rules, warm ones for the referee. */
const reasonClasses = () => {
  const counts = facts.reasons.map(({ code }) => sum(facts.losses.map((losses) => losses[code] || 0)));
  const classes = new Map();
  for (const rules of [true, false]) {
    const order = facts.reasons.map((_, index) => index).filter((index) => facts.reasons[index].rules === rules && counts[index]);
    order.sort((one, other) => counts[other] - counts[one]);
    order.forEach((index, place) => classes.set(index, `reason-${rules ? "rules" : "referee"}-${place % 6}`));
  }
  return { classes, counts };
};

const losses = () => {
  const { classes, counts } = reasonClasses();
  if (!classes.size) return null;
  const most = Math.max(...facts.losses.map((own) => sum(Object.values(own))));
  const bar = (engine) => {
    const own = facts.losses[engine];
    const total = sum(Object.values(own));
    const parts = [...classes.keys()].filter((index) => own[facts.reasons[index].code]);
    const part = (index) => {
      const count = own[facts.reasons[index].code];
      const label = t("loss-label", name(engine), count, say(facts.reasons[index].text));
      const act = () => filterGames({ engine, result: "lost", reason: index });
      return button(h("span", {}, count), act, { class: `part ${classes.get(index)}`, "aria-label": label, title: label, style: { "flex-grow": count } });
    };
    return [
      h("dt", { title: name(engine) }, name(engine)),
      h(
        "dd",
        {},
        h("span", { class: "parts", style: { "flex-grow": total } }, parts.map(part)),
        h("span", { class: "rest", style: { "flex-grow": most - total } }),
        h("span", { class: "total" }, total),
      ),
    ];
  };
  const key = [...classes].map(([index, name]) =>
    h("li", {}, h("span", { class: `swatch ${name}` }), say(facts.reasons[index].text), h("span", { class: "soft" }, ` ${counts[index]}`)),
  );
  return section("losses", t("losses"), h("dl", { class: "losses" }, ranked.map(bar)), h("ul", { class: "legend" }, key), h("p", { class: "remark" }, t("losses-remark")));
};

/** Draws everything in one language. */
const show = (language) => {
  chosen.language = language;
  const root = document.documentElement;
  // Seats have the colours of their pieces: stones are black and white, tiles red and blue.
  root.dataset.pieces = facts.album.looks.some((look) => look.figure === "tile") ? "tiles" : "stones";
  root.lang = language === "zh" ? "zh-CN" : "en";
  document.title = say(facts.title);
  const played = rows.length > 0;
  const parts = [
    facts.names.length === 2 && match(),
    // A match of two is told by its score.
    !facts.isMatch && standings(),
    ...(played ? [!facts.isMatch && crossTable(), !facts.isMatch && ratings(), timeUsed(), losses()] : []),
  ];
  const list = h("section", { id: "games", "aria-labelledby": "games-title" }, h("h2", {}, t("games")));
  const all = [...parts, played ? list : null].filter(Boolean);
  const version = document.querySelector("meta[name=generator]").content;
  document.getElementById("page").replaceChildren(
    header(),
    ...[conditions(), played ? notices() : null].filter(Boolean),
    navigation(all),
    h("main", {}, all),
    h("footer", {}, t("made-by", version)),
    replay.element,
  );
  if (played) drawGames();
  if (replay.row) replay.open(replay.row, replay.list);
};

/** Opens the game that the address names. */
const openAddress = () => {
  const found = /^#game-(\d+)$/.exec(location.hash);
  const shown = found && rows[found[1] - 1];
  if (shown && shown.shown) replay.open(shown, rows);
};

show(chosen.language);
openAddress();
addEventListener("hashchange", openAddress);
