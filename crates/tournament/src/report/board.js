// Draws a board and what stands on it, as boyi's own pictures do (crates/games/src/render/svg.rs).

const UNIT = 44;
const PAPER = "#fbf8f1";
const LIGHT = "#f0dcb4";
const DARK = "#d9b27c";
const LINE = "#6b4f2a";
const ACCENT = "#d1495b";
const CROWN = [[-11, 8], [-13, -7], [-6, 0], [0, -11], [6, 0], [13, -7], [11, 8]];
const INKS = {
  grid: [LINE, 1.2],
  rail: ["#3c3c3c", 5],
  "inner-circuit": ["#1f7a8c", 3],
  "outer-circuit": ["#b5651d", 3],
};

/** Chinese characters are twice as wide as Latin ones. */
const textWidth = (text, size) => sum([...text].map((letter) => (letter > "\u2e7f" ? 2 : 1))) * size * 0.56;

/** A rectangle that grows around what it is told of. */
class Bounds {
  left = Infinity;
  top = Infinity;
  right = -Infinity;
  bottom = -Infinity;
  include(x, y, around) {
    this.left = Math.min(this.left, x - around);
    this.right = Math.max(this.right, x + around);
    this.top = Math.min(this.top, y - around);
    this.bottom = Math.max(this.bottom, y + around);
  }
}

/** A board; `show` puts a position on it. */
class Board {
  constructor(geometry) {
    this.spots = geometry.spots;
    this.bounds = this.boundsOf(geometry);
    const [width, height] = [this.bounds.right - this.bounds.left, this.bounds.bottom - this.bounds.top];
    this.lastLayer = svg("g");
    this.pieceLayer = svg("g");
    const labels = geometry.labels.map((label) => this.text(label.text, ...this.place(label.x, label.y), 14, "#3a2f20"));
    this.element = svg(
      "svg",
      { viewBox: `0 0 ${width * UNIT} ${height * UNIT}`, role: "img", class: "picture" },
      svg("defs", {}, gradient("black", "#6b6b6b", "#111"), gradient("white", "#fff", "#d8d4ca")),
      svg("rect", { width: "100%", height: "100%", rx: 10, fill: PAPER }),
      this.ground(geometry),
      this.lastLayer,
      this.pieceLayer,
      svg("g", {}, labels),
    );
  }

  boundsOf({ spots, pips, labels, strokes }) {
    const bounds = new Bounds();
    for (const spot of spots) if (spot.kind !== "button") bounds.include(spot.x, spot.y, 0.62);
    for (const [x, y] of pips) bounds.include(x, y, 0.62);
    for (const label of labels) bounds.include(label.x, label.y, 0.42);
    for (const stroke of strokes) {
      if (stroke.shape === "line") {
        bounds.include(stroke.x1, stroke.y1, 0.42);
        bounds.include(stroke.x2, stroke.y2, 0.42);
      } else bounds.include(stroke.x, stroke.y, stroke.radius + 0.42);
    }
    return bounds;
  }

  /** Board units to pixels. */
  place(x, y) {
    return [(x - this.bounds.left) * UNIT, (y - this.bounds.top) * UNIT];
  }

  text(text, x, y, size, fill) {
    return svg("text", { x, y, "font-size": size, "text-anchor": "middle", dy: ".35em", fill }, text);
  }

  tile(x, y, width, height, radius, fill, stroke) {
    const [w, tall] = [width * UNIT, height * UNIT];
    const place = { x: x - w / 2, y: y - tall / 2, width: w, height: tall, rx: radius };
    return svg("rect", { ...place, fill, stroke, "stroke-width": 1.5 });
  }

  /** Everything that never changes: wood, squares, lines, dots, stations. */
  ground(geometry) {
    const wood = new Bounds();
    for (const { kind, x, y } of this.spots) {
      if (kind !== "button") wood.include(x, y, kind.endsWith("-cell") ? 0.5 : 0.58);
    }
    const [x, y] = this.place(wood.left, wood.top);
    const size = { width: (wood.right - wood.left) * UNIT, height: (wood.bottom - wood.top) * UNIT };
    return svg(
      "g",
      {},
      svg("rect", { x, y, ...size, rx: 6, fill: "#e9c98f" }),
      this.spots.map((spot) => this.square(spot)),
      geometry.strokes.map((stroke) => this.stroke(stroke)),
      geometry.pips.map(([px, py]) => {
        const [cx, cy] = this.place(px, py);
        return svg("circle", { cx, cy, r: 4, fill: LINE });
      }),
      this.spots.map((spot) => this.station(spot)),
    );
  }

  square({ kind, x, y }) {
    if (!kind.endsWith("-cell")) return null;
    const [left, top] = this.place(x - 0.5, y - 0.5);
    return svg("rect", { x: left, y: top, width: UNIT, height: UNIT, fill: kind === "light-cell" ? LIGHT : DARK });
  }

  station(spot) {
    const [x, y] = this.place(spot.x, spot.y);
    switch (spot.kind) {
      case "station":
        return this.tile(x, y, 0.72, 0.44, 5, LIGHT, LINE);
      case "headquarters":
        return [this.tile(x, y, 0.8, 0.52, 12, DARK, LINE), this.tile(x, y, 0.7, 0.42, 9, LIGHT, LINE)];
      case "camp":
        return svg("circle", { cx: x, cy: y, r: 0.4 * UNIT, fill: "#dfeccf", stroke: LINE, "stroke-width": 1.5 });
      default:
        return null;
    }
  }

  stroke(stroke) {
    const [colour, width] = INKS[stroke.ink];
    let d;
    if (stroke.shape === "line") {
      d = `M${this.place(stroke.x1, stroke.y1)}L${this.place(stroke.x2, stroke.y2)}`;
    } else {
      const { x, y, radius, outward_x: right, outward_y: down } = stroke;
      const sweep = right * down < 0 ? 1 : 0;
      const round = `A${radius * UNIT} ${radius * UNIT} 0 1 ${sweep} `;
      d = `M${this.place(x - right * radius, y)}${round}${this.place(x, y - down * radius)}`;
    }
    const line = svg("path", { d, fill: "none", stroke: colour, "stroke-width": width, "stroke-linecap": "round" });
    if (stroke.ink !== "rail") return line;
    // Sleepers: a light dashed line over the dark one.
    return [line, svg("path", { d, fill: "none", stroke: PAPER, "stroke-width": 2.4, "stroke-dasharray": "7 6" })];
  }

  /** Puts a position on the board: looks by spot, marks, and the spots of the last ply. */
  show({ pieces, marks, last }) {
    this.lastLayer.replaceChildren(...last.map((spot) => this.last(this.spots[spot])).filter(Boolean));
    const things = [...pieces].flatMap(([spot, looks]) => looks.map((look) => this.piece(look, this.spots[spot])));
    const signs = marks.map(([spot, kind]) => this.mark(kind, this.spots[spot]));
    this.pieceLayer.replaceChildren(...[things, signs].flat(Infinity).filter(Boolean));
  }

  last(spot) {
    if (!spot || spot.kind === "button") return null;
    const [width, height] =
      spot.kind === "horizontal-edge" ? [1, 0.34] : spot.kind === "vertical-edge" ? [0.34, 1] : [0.98, 0.98];
    const tile = this.tile(...this.place(spot.x, spot.y), width, height, 5, ACCENT, "none");
    tile.setAttribute("fill-opacity", ".38");
    return tile;
  }

  piece(look, spot) {
    const [x, y] = this.place(spot.x, spot.y);
    const black = look.side === "black";
    const disc = (fill, stroke) => svg("circle", { cx: x, cy: y, r: 0.43 * UNIT, fill, stroke });
    const stone = () => {
      if (look.side) return disc(`url(#${look.side})`, black ? "#000" : "#7d776b");
      return disc("#4a4a4a", "#222");
    };
    switch (look.figure) {
      case "stone":
        return stone();
      case "amazon": {
        const corners = CROWN.map(([dx, dy]) => [x + dx, y + dy].join()).join(" ");
        return [stone(), svg("polygon", { points: corners, fill: black ? "#f3e3b3" : "#4a3a1a" })];
      }
      case "arrow":
        return [this.tile(x, y, 0.82, 0.82, 4, "#5a6b7b", "#33414d"), this.cross(x, y, 0.22, "#e8edf2")];
      case "line": {
        const [dx, dy] = spot.kind === "horizontal-edge" ? [UNIT / 2, 0] : [0, UNIT / 2];
        const stroke = look.side ? (black ? "#1d3557" : ACCENT) : "#33312d";
        const ends = { x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy };
        return svg("line", { ...ends, stroke, "stroke-width": 5, "stroke-linecap": "round" });
      }
      case "owned": {
        const [ground, ink, letter] = black ? ["#2f3e55", "#fff", "B"] : ["#fffdf5", "#2f3e55", "W"];
        return [this.tile(x, y, 0.76, 0.76, 6, ground, LINE), this.text(letter, x, y, 18, ink)];
      }
      default:
        return this.rank(look, x, y, black ? "#b3261e" : "#22304a");
    }
  }

  /** A piece with its rank on it, or its back. */
  rank(look, x, y, colour) {
    if (look.figure === "back") {
      return [this.tile(x, y, 0.84, 0.56, 6, colour, "#111"), this.tile(x, y, 0.66, 0.38, 4, "none", "#ffffff88")];
    }
    const text = look.label ? say(look.label) : "";
    const size = textWidth(text, 15) > 32 ? 12 : 15;
    return [this.tile(x, y, 0.84, 0.56, 6, "#fff6df", colour), this.text(text, x, y, size, colour)];
  }

  cross(x, y, reach, stroke) {
    const d = reach * UNIT;
    const path = `M${x - d} ${y - d}L${x + d} ${y + d}M${x + d} ${y - d}L${x - d} ${y + d}`;
    return svg("path", { d: path, stroke, "stroke-width": 3 });
  }

  mark(kind, spot) {
    const [x, y] = this.place(spot.x, spot.y);
    switch (kind) {
      case "forbidden":
        return this.cross(x, y, 0.2, "#c1121f");
      case "refused":
        return this.cross(x, y, 0.2, "#5f0f7a");
      case "winning":
        return svg("circle", { cx: x, cy: y, r: 0.43 * UNIT, fill: "none", stroke: ACCENT, "stroke-width": 4 });
      default:
        return svg("circle", { cx: x + 0.4 * UNIT, cy: y - 0.3 * UNIT, r: 7, fill: "#ffd166", stroke: LINE });
    }
  }
}

const gradient = (id, from, to) =>
  svg(
    "radialGradient",
    { id, cx: "35%", cy: "30%" },
    svg("stop", { offset: 0, "stop-color": from }),
    svg("stop", { offset: 1, "stop-color": to }),
  );
