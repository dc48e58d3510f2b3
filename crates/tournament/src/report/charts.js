// Pictures of figures. Each is drawn for the room it has, and again when that changes.

const observer = new ResizeObserver((entries) => entries.forEach(({ target }) => target.redraw()));

/** A place for a picture that is drawn for its width. */
const chart = (label, draw) => {
  const place = h("div", { class: "chart" });
  let drawn = 0;
  place.redraw = () => {
    const width = Math.floor(place.clientWidth);
    if (width && width !== drawn) {
      drawn = width;
      place.replaceChildren(draw(width, label));
    }
  };
  observer.observe(place);
  return place;
};

/** With a view box, so that paper can make it smaller. */
const picture = (width, height, label, ...content) =>
  svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, content);

/** About five round numbers between two. */
const ticks = (low, high, most = 6) => {
  const rough = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) || 10);
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step / 1e6; tick += step) found.push(tick);
  return found;
};

const cut = (text, room) => {
  let short = text;
  while (short.length > 1 && textWidth(short, 13.5) > room) short = short.slice(0, -1);
  return short === text ? text : `${short.slice(0, -1)}…`;
};

/** Names beside the rows where there is room, above them where there is none. */
const layout = (width) => {
  const narrow = width < 560;
  const widest = Math.max(...facts.names.map((text) => textWidth(text, 13.5)));
  return { narrow, left: narrow ? 8 : Math.min(Math.max(widest + 20, 70), 240), top: narrow ? 22 : 0 };
};
const rowName = (engine, room, x, y) =>
  svg("text", { x, y, class: "chart-name" }, cut(name(engine), room), svg("title", {}, name(engine)));

/** Ratings with their 95 % intervals. */
const ratingChart = (rows) =>
  chart(t("ratings"), (width, label) => {
    const { narrow, left, top } = layout(width);
    const right = 104;
    const row = narrow ? 52 : 32;
    const ends = rows.flatMap(({ elo }) => [elo.lower, elo.value, elo.upper]).filter(isNumber);
    const room = (Math.max(...ends) - Math.min(...ends) || 100) * 0.04;
    const [low, high] = [Math.min(...ends) - room, Math.max(...ends) + room];
    const x = (elo) => {
      const clipped = isNumber(elo) ? elo : elo === "inf" ? high : low;
      return left + ((clipped - low) / (high - low)) * (width - left - right);
    };
    const height = rows.length * row + 34;
    const grid = ticks(low, high, narrow ? 5 : 11).map((tick) => [
      svg("line", { x1: x(tick), x2: x(tick), y1: 4, y2: height - 26, class: tick === 0 ? "zero" : "grid" }),
      svg("text", { x: x(tick), y: height - 8, class: "tick", "text-anchor": "middle" }, signed(tick)),
    ]);
    const bars = rows.map(({ entrant, elo }, index) => {
      const y = index * row + top + (narrow ? 16 : row / 2);
      const whisker = (at) => svg("line", { x1: x(at), x2: x(at), y1: y - 5, y2: y + 5, class: "bar" });
      return svg(
        "g",
        {},
        svg("title", {}, `${name(entrant)}: ${withMargin(elo)}`),
        rowName(entrant, narrow ? width - 16 : left - 16, narrow ? 8 : 0, narrow ? y - 16 : y + 5),
        svg("line", { x1: x(elo.lower), x2: x(elo.upper), y1: y, y2: y, class: "bar" }),
        isNumber(elo.lower) && whisker(elo.lower),
        isNumber(elo.upper) && whisker(elo.upper),
        svg("circle", { cx: x(elo.value), cy: y, r: 5, class: "dot" }),
        svg("text", { x: width - 2, y: y + 5, class: "figure", "text-anchor": "end" }, withMargin(elo)),
      );
    });
    return picture(width, height, label, grid, bars);
  });

/** How long plies took: a row of columns for each engine, over the same bounds. */
const timeChart = (engines) =>
  chart(t("distribution"), (width, label) => {
    const { narrow, left, top } = layout(width);
    const row = narrow ? 62 : 46;
    const bounds = facts.timeBounds;
    const step = Math.min((width - left - 8) / bounds.length, 96);
    const height = engines.length * row + 30;
    const floor = (index) => index * row + top + (narrow ? 34 : 40);
    const most = Math.max(...engines.map((engine) => Math.max(...facts.times[engine].bins) / (facts.times[engine].plies || 1)));
    const columns = engines.map((engine, index) => {
      const { bins, plies } = facts.times[engine];
      const y = floor(index);
      return svg(
        "g",
        {},
        rowName(engine, narrow ? width - 16 : left - 16, narrow ? 8 : 0, narrow ? y - 38 : y - 10),
        svg("line", { x1: left, x2: left + step * bounds.length, y1: y, y2: y, class: "grid" }),
        bins.map((count, bin) => {
          if (!count) return null;
          const tall = Math.max((count / plies / most) * 30, 1.5);
          const place = { x: left + bin * step + 1, y: y - tall, width: Math.max(step - 2, 1), height: tall, rx: 1.5 };
          return svg("rect", { ...place, class: "column" }, svg("title", {}, `${binName(bin)}: ${count}`));
        }),
      );
    });
    const every = Math.ceil(46 / step);
    const marks = bounds.map((bound, bin) =>
      bin % every
        ? null
        : svg("text", { x: left + bin * step, y: height - 8, class: "tick", "text-anchor": bin ? "middle" : "start" }, bound ? time(bound) : "0"),
    );
    return picture(width, height, label, columns, marks, limitLine(left, step, height));
  });

const binName = (bin) => {
  const [from, to] = [facts.timeBounds[bin], facts.timeBounds[bin + 1]];
  return to === undefined ? `≥ ${time(from)}` : to - from === 1 ? time(from) : `${time(from)} – ${time(to)}`;
};

/** Where the time for a ply ends, if anybody came that far. */
const limitLine = (left, step, height) => {
  const bounds = facts.timeBounds;
  const bin = bounds.findLastIndex((bound) => bound <= facts.plyLimit);
  if (!facts.plyLimit || bin < 0 || (bin === bounds.length - 1 && facts.plyLimit > bounds[bin] * 2.5)) return null;
  const next = bounds[bin + 1] || bounds[bin] * 2 || 1;
  const x = left + (bin + Math.min((facts.plyLimit - bounds[bin]) / (next - bounds[bin]), 1)) * step;
  return svg("line", { x1: x, x2: x, y1: 2, y2: height - 26, class: "limit" }, svg("title", {}, t("limit")));
};

/** The five results of a pair of games, as columns. */
const pairChart = (pairs) =>
  chart(t("pairs"), (width, label) => {
    const names = ["0", "½", "1", "1½", "2"];
    const most = Math.max(...pairs, 1);
    const step = Math.min(width / 5, 90);
    const columns = pairs.map((count, index) => {
      const tall = (count / most) * 90;
      const middle = index * step + step / 2;
      return svg(
        "g",
        {},
        svg("rect", { x: middle - step * 0.32, y: 112 - tall, width: step * 0.64, height: tall, rx: 2, class: `pair pair-${index}` }),
        svg("text", { x: middle, y: 104 - tall, class: "figure", "text-anchor": "middle" }, String(count)),
        svg("text", { x: middle, y: 130, class: "tick", "text-anchor": "middle" }, names[index]),
      );
    });
    const floor = svg("line", { x1: 0, x2: step * 5, y1: 112, y2: 112, class: "grid" });
    return picture(step * 5, 136, label, floor, columns);
  });

/** How far a sequential test has come between its bounds. */
const testChart = ({ ratio, lower, upper }) =>
  chart("SPRT", (width, label) => {
    const wide = Math.min(width, 520);
    const x = (value) => 30 + ((Math.max(Math.min(value, upper), lower) - lower) / (upper - lower)) * (wide - 60);
    const mark = (value, text) => [
      svg("line", { x1: x(value), x2: x(value), y1: 20, y2: 40, class: value ? "bar" : "zero" }),
      svg("text", { x: x(value), y: 58, class: "tick", "text-anchor": "middle" }, text),
    ];
    return picture(
      wide,
      64,
      `${label}: ${ratio}`,
      svg("line", { x1: x(lower), x2: x(upper), y1: 30, y2: 30, class: "track" }),
      svg("line", { x1: x(0), x2: x(ratio), y1: 30, y2: 30, class: "reach" }),
      mark(lower, `H0 ${signed(lower, 2)}`),
      mark(0, "0"),
      mark(upper, `H1 ${signed(upper, 2)}`),
      svg("circle", { cx: x(ratio), cy: 30, r: 6, class: "dot" }),
      svg("text", { x: x(ratio), y: 13, class: "figure", "text-anchor": "middle" }, signed(ratio, 2)),
    );
  });
