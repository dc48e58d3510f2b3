/** What the server says, as TypeScript sees it. docs: /api/openapi.json. */

export type Side = 'black' | 'white';

/** A text in both languages. */
export interface Phrase {
  en: string;
  zh: string;
}

export interface Reason {
  code: string;
  text: Phrase;
}

export interface Verdict {
  winner: Side | null;
  reason: Reason;
  ply: number;
}

export interface GameOption {
  key: string;
  values: string;
  /** What people call it. */
  name: Phrase;
  text: Phrase;
  control: Control;
}

/** What an option is set with. */
export type Control =
  | { kind: 'number'; least: number; most: number; step: number; zero: Phrase | null }
  | { kind: 'choice'; values: { value: string; name: Phrase }[] }
  | { kind: 'text' };

/** A variant people ask for by its name; the first is the one they usually play. */
export interface Preset {
  id: string;
  name: Phrase;
  variant: Variant;
}

export interface Level {
  id: string;
  text: Phrase;
}

export interface Protocol {
  id: string;
  name: Phrase | string;
}

export type Variant = Record<string, unknown>;

export interface GameInfo {
  id: string;
  name: Phrase;
  board: Phrase;
  summary: Phrase;
  sides: [Phrase, Phrase];
  hidden: boolean;
  notation: Phrase;
  /** What is asked before each click of a ply; the last one again for all that follow. */
  prompts: Phrase[];
  /** What a piece may be of which only the back is seen. */
  ranks: Phrase[];
  position: Phrase;
  options: GameOption[];
  presets: Preset[];
  defaults: { variant: Variant };
  levels: Level[];
  protocols: Protocol[];
  /** Engines this server offers as opponents. */
  engines?: string[];
  example?: string | null;
  /** The formats a record of this game can be downloaded in. */
  formats?: string[];
}

export type SpotKind =
  | 'light-cell'
  | 'dark-cell'
  | 'point'
  | 'horizontal-edge'
  | 'vertical-edge'
  | 'box'
  | 'station'
  | 'camp'
  | 'headquarters'
  | 'button';

export interface Spot {
  name: string;
  kind: SpotKind;
  x: number;
  y: number;
  label?: Phrase;
}

export type Ink = 'grid' | 'rail' | 'inner-circuit' | 'outer-circuit';

export type Stroke = { ink: Ink } & (
  | { shape: 'line'; x1: number; y1: number; x2: number; y2: number }
  | { shape: 'corner-loop'; x: number; y: number; radius: number; outward_x: number; outward_y: number }
);

export interface Geometry {
  spots: Spot[];
  strokes: Stroke[];
  pips: [number, number][];
  labels: { text: string; x: number; y: number }[];
  /** Whose pieces begin at the lower edge, where the board has such an edge. */
  below?: Side;
}

export type Figure = 'stone' | 'amazon' | 'arrow' | 'line' | 'owned' | 'tile' | 'back';

export interface Piece {
  spot: number;
  figure: Figure;
  side: Side | null;
  label?: Phrase;
}

export type MarkKind = 'forbidden' | 'refused' | 'remembered' | 'winning' | 'flag-shown';

export interface Mark {
  spot: number;
  kind: MarkKind;
}

export interface Click {
  spot: number;
  ply?: string;
  next?: Click[];
}

export interface Clicks {
  tree: Click[];
  complete: boolean;
}

export interface Note {
  key: string;
  label: Phrase;
  value: string;
}

/** What changes from step to step of what is drawn. */
export interface Scene {
  to_move: Side;
  plies: number;
  verdict: Verdict | null;
  pieces: Piece[];
  marks: Mark[];
  last: number[];
  notes: Note[];
}

/** A board for one pair of eyes. */
export interface View extends Scene {
  game: string;
  sides: [Phrase, Phrase];
  eyes: Eyes;
  geometry: Geometry;
  clicks: Clicks;
}

export type Eyes = 'all' | 'black' | 'white' | 'none';

export interface Step {
  mover: Side;
  ply: string | null;
  end: 'played' | 'refused' | 'lost';
  ms?: number | null;
  /** What came of it, in words. */
  remarks?: Reason[];
  /** The pieces it took off the board, where they stood. */
  gone?: Piece[];
}

export interface Frame {
  n: number;
  plies: number;
  to_move: Side;
  set: Piece[];
  clear: number[];
  marks: Mark[];
  last: number[];
  notes: Note[];
  verdict?: Verdict | null;
  step?: Step | null;
}

export interface Seat {
  kind: 'person' | 'builtin' | 'engine' | 'open';
  name: string;
  level?: string | null;
  you: boolean;
  here: boolean;
}

export interface Summary {
  id: string;
  game: string;
  variant: Variant;
  state: 'waiting' | 'live' | 'finished';
  seats: [Seat, Seat];
  plies: number;
  started: number | null;
  /** When the room was made. */
  created?: number;
  verdict?: Verdict | null;
  hidden: boolean;
  public?: boolean;
  /** Of rooms that are not finished: whether somebody is there. */
  standing?: Standing;
}

export type Standing = 'running' | 'waiting' | 'abandoned';

export interface Clock {
  left_ms: number | null;
  turn_ms: number | null;
  used_ms: number;
}

export interface Offers {
  draw: Side | null;
  takeback: Side | null;
}

export interface ChatLine {
  who: string;
  side?: Side | null;
  text: string;
  at: number;
}

/** What shows that a decision is right. */
export interface Evidence {
  seat?: Side;
  limit_ms?: number;
  measured_ms?: number;
  /** What the rules counted or saw at the end. */
  facts?: { key: string; label: Phrase; value: string }[];
  ply?: string;
  detail?: string;
  detail_zh?: string;
  lines?: string[];
}

export interface Result {
  verdict: Verdict;
  text: Phrase;
  evidence?: Evidence | null;
}

export interface TimeControl {
  ply_ms?: number | null;
  game_ms?: number | null;
  increment_ms?: number | null;
}

/** The clocks as they stand at `now` of the server. */
export interface Timing {
  clocks: [Clock, Clock];
  running: Side | null;
  since: number | null;
  now: number;
}

export interface Room extends Summary, Timing {
  eyes: Eyes;
  you: Side | null;
  view: View | null;
  /** Who may take the open seat of a room that waits: whoever comes, whoever has the link, somebody else, you. */
  invitation?: 'open' | 'private' | 'kept' | 'yours';
  seq: number;
  steps: (Step & { n: number })[];
  offers: Offers;
  chat: ChatLine[];
  result?: Result | null;
  time: TimeControl | null;
  position?: string | null;
  created: number;
}

export interface FrameEvent extends Timing {
  frame: Frame;
  clicks?: Clicks;
}

export interface Frames {
  view: View;
  frames: Frame[];
}

/** What a strong player thinks of a position. */
export interface Opinion {
  /** After how many steps. */
  plies: number;
  to_move: Side;
  /** The ply it would play, and the spots one clicks for it. */
  ply: string | null;
  spots: number[];
  /** The first mover's chance to win, from 0 to 1. */
  chance: number | null;
  /** Who wins by force, as far as it sees. */
  wins: Side | null;
  /** How it thinks the game goes on, its own ply first. */
  line: string[];
}

export interface SetupTile {
  id: string;
  label: Phrase;
  count: number;
}

export interface Setup {
  tiles: SetupTile[];
  spots: { spot: number; allowed: string[] }[];
  suggestion: Record<string, string>;
}

export type SeatWish = { kind: 'me' } | { kind: 'open' } | { kind: 'builtin'; level: string } | { kind: 'engine'; name: string };

export interface NewRoom {
  game: string;
  variant?: Variant;
  position?: string;
  plies?: string[];
  time: TimeControl | null;
  seats: { black: SeatWish; white: SeatWish };
  public: boolean;
  /** Whether only the link with its token gives the open seat. */
  private?: boolean;
}

export interface Page<T> {
  items: T[];
  next: string | number | null;
}

export interface LoadedRecord extends Frames {
  record: unknown;
  info: { format: string; remarks: (Phrase | string)[]; problem: Phrase | null };
}

export type Role = 'guest' | 'student' | 'assistant' | 'admin';

/** Somebody who has signed in. */
export interface Account {
  id: string | number;
  name: string;
  person: string | null;
  group: string | null;
  nickname: string;
  role: Role;
}

export interface Me {
  guest: boolean;
  name: string | null;
  account?: Account | null;
  /** Whether this server judges a course. */
  course?: boolean;
}
