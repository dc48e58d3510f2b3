// What every part of the page uses: elements, texts, numbers.

const facts = JSON.parse(document.getElementById("facts").textContent);

/** What the reader has chosen; nothing of it is remembered. */
const chosen = { language: facts.language, engine: "", opponent: "", result: "", reason: "", page: 0 };

/** The text of something that has both languages. */
const say = (words) => words[chosen.language];

/** A text of the page; {0}, {1} … stand for values. */
const t = (key, ...values) => say(facts.texts[key]).replace(/\{(\d)\}/g, (_, index) => values[index]);

/** Makes elements of a namespace. Children are elements or texts, never markup. */
const maker = (create) => (name, attributes, ...children) => {
  const element = create(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    // Through the object model: the page's policy allows no style attributes.
    else if (key === "style") for (const [property, to] of Object.entries(value)) element.style.setProperty(property, to);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};
const h = maker((name) => document.createElement(name));
const svg = maker((name) => document.createElementNS("http://www.w3.org/2000/svg", name));

const button = (label, act, attributes) => h("button", { type: "button", on: { click: act }, ...attributes }, label);

const MINUS = "\u2212";
const isNumber = (value) => typeof value === "number";

/** A number with its sign, as it is printed: +12, −3, 0. */
const signed = (value, digits = 0) => {
  if (!isNumber(value)) return value === "inf" ? "+∞" : value === "-inf" ? MINUS + "∞" : "–";
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : (value < 0 ? MINUS : "+") + text;
};
const margin = (estimate) =>
  isNumber(estimate.lower) && isNumber(estimate.upper) ? (estimate.upper - estimate.lower) / 2 : null;
/** A value with what is after "±"; where one end of the interval is open, what is known of the other. */
const withMargin = (estimate, digits = 0) => {
  if (!estimate) return "–";
  const { value, lower, upper } = estimate;
  const half = margin(estimate);
  if (half !== null) return `${signed(value, digits)} ± ${half.toFixed(digits)}`;
  const bound = isNumber(lower) ? `> ${signed(lower, digits)}` : isNumber(upper) ? `< ${signed(upper, digits)}` : "";
  return bound ? `${signed(value, digits)} (${bound})` : signed(value, digits);
};
/** Sentences one after the other. */
const sentences = (...list) => list.filter(Boolean).join(chosen.language === "zh" ? "" : " ");
const plain = (value) => signed(value, Number.isInteger(value) ? 0 : 1);
const percent = (share, digits = 0) => (isNumber(share) ? `${(share * 100).toFixed(digits)}%` : "–");

/** Milliseconds as a person reads them. */
const time = (milliseconds) => {
  if (!isNumber(milliseconds)) return "–";
  // The referee's clock counts whole milliseconds.
  if (milliseconds === 0) return "< 1 ms";
  if (milliseconds < 0.05) return "< 0.1 ms";
  if (milliseconds < 10 && milliseconds % 1) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60000) return `${(milliseconds / 1000).toFixed(milliseconds < 10000 ? 2 : 1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const two = (value) => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
};

/** Half points as people write them. */
const points = (halves) => {
  const whole = Math.floor(halves / 2);
  return halves % 2 ? `${whole || ""}½` : String(whole);
};
const sum = (list) => list.reduce((total, value) => total + value, 0);
const games = (counts) => sum(counts);
const halves = (counts) => counts[1] + 2 * counts[2];

/** Engines from first to last place; their places stand for them where there is no room for names. */
const ranked = facts.table.map((row) => row.entrant);
const name = (engine) => facts.names[engine];

const section = (id, title, ...content) =>
  h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...content);

/** A table in a frame of its own that scrolls sideways where it has no room. */
const table = (caption, attributes, heads, rows) =>
  h(
    "div",
    { class: "frame", tabindex: 0, role: "region", "aria-label": caption },
    h("table", attributes, h("caption", {}, caption), h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows)),
  );
const head = (text, attributes) => h("th", { scope: "col", ...attributes }, text);
const cell = (content, attributes) => h("td", attributes, content);
