/** What the course judge says, as TypeScript sees it. docs: /api/openapi.json. */
import type { Account, Evidence, Frames, Phrase, Role, Side, Variant } from '../api/types';

export type Id = string | number;

export interface Listed extends Account {
  active: boolean;
  signed_in: boolean;
  code_expires: number | null;
  created: number;
}

export interface Code {
  name: string;
  person?: string | null;
  group?: string | null;
  code: string;
  expires: number;
}

export interface Imported {
  added: number;
  updated: number;
  unchanged: number;
  codes: Code[];
}

export interface SignedInAt {
  id: Id;
  created: number;
  seen: number;
  address: string;
  agent: string;
  current: boolean;
}

export interface ContestSummary {
  id: string;
  title: string;
  game: string;
  variant: Variant;
  opens: number | null;
  closes: number | null;
  phase: 'coming' | 'open' | 'closed';
  locked: string | null;
  frozen: boolean;
  players: number;
  /** Whether it is open to some groups or students only. */
  restricted: boolean;
  leader: { nickname: string } | null;
}

/** Whom a contest is open to. */
export interface Audience {
  groups: string[];
  students: string[];
}

export interface Group {
  name: string;
  members: number;
}

/** Where people reach the server. */
export interface Addresses {
  public: string | null;
  network: string[];
  local_only: boolean;
}

/** How somebody takes part: only students take ranks. */
export type Kind = 'student' | 'staff' | 'reference';

/** Where a game starts: after these plies from the usual start. */
export interface Start {
  plies: string[];
  /** A position instead of plies, as the game writes it. */
  position?: string;
}

export interface Rules {
  positions: Start[];
  /** How often the positions are played through, each with both colours. */
  rounds: number;
  /** Until a program must be ready. */
  start_ms: number;
  ply_ms: number;
  game_ms: number;
  memory_mb: number;
  points: [number, number, number];
  languages: string[];
  source_bytes: number;
  /** Whether an archive with a build file is taken too. */
  archives: boolean;
  interval_s: number;
  machine_s_per_day: number | null;
}

export type Seen = 'all' | 'own' | 'after';

export interface Contest extends ContestSummary {
  about: string;
  rules: Rules & { games_per_match: number };
  visibility: { source: Seen; logs: Seen; games: Seen };
  scoreboard_minutes: number;
  /** Built-in players that everybody meets. */
  references: string[];
  /** Told to staff only. */
  audience: Audience | null;
  announcements: { id: Id; at: number; by: string; text: string }[];
  judge: { level: string; workers: number; building: number; queued_builds: number; queued_games: number; playing: number } | null;
  mine: Mine | null;
}

export interface Mine {
  submission: Submission | null;
  ranked: Submission | null;
  may_submit: boolean;
  why_not: Phrase | null;
  next_at: number | null;
  machine_ms_today: number;
  machine_ms_left: number | null;
}

export type SubmissionState = 'queued' | 'compiling' | 'trial' | 'playing' | 'ranked' | 'failed' | 'replaced' | 'disqualified';

export interface Submission {
  id: Id;
  contest: string;
  account: Id;
  nickname: string;
  kind: Kind;
  version: number;
  language: string;
  file_name: string | null;
  bytes: number;
  submitted: number;
  state: SubmissionState;
  state_text: Phrase;
  ahead: number | null;
  playing: { done: number; all: number } | null;
  counts: boolean;
  failure: { code: string; text: Phrase } | null;
  disqualified: string | null;
  mine: boolean;
}

export interface Finding {
  severity: string;
  code: string;
  title: Phrase | string;
  stage?: string;
  line?: string | null;
  asked?: string | null;
  detail?: Phrase | string | null;
  expected?: Phrase | string | null;
  mend?: Phrase | string | null;
}

export interface WholeSubmission extends Submission {
  /** What the compiler said; `sentence` only where it failed, the same as the text of the failure. */
  compile?: { messages: string; truncated: boolean; notes: Phrase[]; compiler: string | null; ms: number; sentence: Phrase | null } | null;
  trial?: { result: string; findings: Finding[]; log: string; text: Phrase } | null;
  matches?: Match[];
}

export interface Brain {
  account: Id;
  nickname: string;
  kind: Kind;
  submission: Id;
  version: number;
}

export interface Match {
  id: Id;
  contest: string;
  kind: 'ladder' | 'challenge';
  state: 'queued' | 'playing' | 'done' | 'void';
  ahead: number | null;
  one: Brain;
  two: Brain;
  games: number;
  played: number;
  won: number;
  drawn: number;
  lost: number;
  points: [number, number] | null;
  created: number;
  finished: number | null;
  /** A fault of the machine, after which it is played again. */
  trouble: string | null;
}

export interface GameOfMatch {
  match: Id;
  number: number;
  position: number;
  black: Brain;
  white: Brain;
  winner: Side | null;
  reason: { code: string; text: Phrase };
  plies: number;
  ms: number;
  at: number;
  seen: boolean;
}

export interface WholeMatch extends Match {
  list: GameOfMatch[];
}

export interface Usage {
  cpu_ms: number | null;
  peak_bytes: number | null;
  clock_ms: number | null;
}

export interface GameStep {
  n: number;
  mover: Side;
  ply: string | null;
  end: 'played' | 'refused' | 'lost';
  ms: number | null;
  stall_ms: number | null;
  memory_bytes: number | null;
}

export interface WholeGame extends GameOfMatch {
  game: string;
  variant: Variant;
  /** Where it started, as the game writes it, when that is not the usual start. */
  position_text?: string | null;
  contest: string;
  verdict: { ply?: number; evidence?: Evidence | null } | null;
  level: string | null;
  you: Side | null;
  talks: Side[];
  usage: { black: Usage | null; white: Usage | null };
  steps: GameStep[];
  replay: { commands: { text: Phrase; command: string }[] };
}

export type GameFrames = Frames;

export interface Row {
  /** None for who takes no rank. */
  rank: number | null;
  kind: Kind;
  builtin: string | null;
  /** Matches with built-in players, in games. */
  against: { reference: Id; match: Id; won: number; drawn: number; lost: number }[];
  account: Id;
  nickname: string;
  person: string | null;
  group: string | null;
  submission: Id;
  version: number;
  language: string;
  points: number;
  matches: { won: number; drawn: number; lost: number; left: number };
  games: { won: number; drawn: number; lost: number };
  difference: number;
  elo: { value: number; lower: number | null; upper: number | null } | null;
  submitted: number;
  you: boolean;
}

export interface Scoreboard {
  as_of: number;
  live: boolean;
  frozen: boolean;
  players: number;
  matches_done: number;
  matches_all: number;
  rows: Row[];
}

export interface Cross {
  as_of: number;
  rows: { account: Id; nickname: string; submission: Id; rank: number | null; kind: Kind }[];
  cells: ({ match: Id; won: number; drawn: number; lost: number; points: number } | null)[][];
}

export interface Losses {
  since: number | null;
  submission: Id | null;
  groups: {
    reason: { code: string; text: Phrase };
    count: number;
    games: { match: Id; number: number; opponent: { nickname: string; version: number }; side: Side; plies: number; at: number }[];
  }[];
}

export interface HistoryPoint {
  at: number;
  submission: Id;
  version: number;
  rank: number;
  of: number;
  points: number;
}

export interface CourseLanguage {
  id: string;
  name: Phrase;
  endings: string[];
  compiler: string | null;
  missing: Phrase | null;
}

/** What a contest's form sends. */
export interface ContestWish {
  id?: string;
  title: string;
  game?: string;
  about: string;
  rules: Partial<Rules>;
  visibility: Contest['visibility'];
  opens: number | null;
  closes: number | null;
  scoreboard_minutes: number;
  references: string[];
  audience: Audience | null;
}

export type { Role };
