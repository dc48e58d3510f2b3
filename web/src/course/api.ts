/** The course judge's paths. */
import { ask, get, post } from '../api/client';
import type { Account, Page } from '../api/types';
import type {
  Addresses,
  Group,
  Code,
  Contest,
  ContestSummary,
  ContestWish,
  CourseLanguage,
  Cross,
  GameFrames,
  HistoryPoint,
  Id,
  Imported,
  Listed,
  Losses,
  Match,
  Role,
  Scoreboard,
  SignedInAt,
  Submission,
  WholeGame,
  WholeMatch,
  WholeSubmission,
} from './types';

const part = (id: Id) => encodeURIComponent(id);
const contest = (id: string) => `/api/contests/${part(id)}`;
const submission = (id: Id) => `/api/submissions/${part(id)}`;
const cursor = (after: string | number | null) => (after === null ? '' : `&after=${encodeURIComponent(after)}`);

/** Where one game of a match is. */
export const gameAddress = (match: Id, number: number) => `/api/matches/${part(match)}/games/${number}`;
export const contestEvents = (id: string) => `${contest(id)}/events`;
export const sourceAddress = (id: Id) => `${submission(id)}/source`;
export const exportAddress = (id: string, file: string) => `${contest(id)}/export/${file}`;

export const course = {
  signIn: (name: string, password: string) => post<{ account: Account }>('/api/sign-in', { name, password }),
  useCode: (name: string, code: string, password: string, nickname: string) =>
    post<{ account: Account }>('/api/sign-in/code', { name, code, password, ...(nickname ? { nickname } : {}) }),
  signOut: () => post<unknown>('/api/sign-out'),
  nickname: (nickname: string) => post<{ account: Account }>('/api/account', { nickname }),
  password: (old: string, fresh: string) => post<unknown>('/api/account/password', { old, new: fresh }),
  sessions: () => get<{ items: SignedInAt[] }>('/api/account/sessions'),
  endSession: (id: Id) => post<unknown>(`/api/account/sessions/${part(id)}/end`),
  endOthers: () => post<{ ended: number }>('/api/account/sessions/end-others'),

  accounts: (search: string, role: string, after: string | number | null) =>
    get<Page<Listed>>(`/api/accounts?limit=50${search ? `&search=${encodeURIComponent(search)}` : ''}${role ? `&role=${role}` : ''}${cursor(after)}`),
  addAccount: (name: string, person: string, group: string, role: Role) =>
    post<{ account: Account; code: string; expires: number }>('/api/accounts', { name, ...(person ? { person } : {}), ...(group ? { group } : {}), role }),
  importList: (file: Blob, dry: boolean) => ask<Imported>('POST', `/api/accounts/import${dry ? '?dry=1' : ''}`, file, 'text/csv'),
  reset: (id: Id) => post<Code>(`/api/accounts/${part(id)}/reset`),
  role: (id: Id, role: Role) => post<{ account: Account }>(`/api/accounts/${part(id)}/role`, { role }),
  group: (id: Id, group: string) => post<{ account: Account }>(`/api/accounts/${part(id)}/group`, { group }),
  groups: () => get<Group[]>('/api/groups'),
  addresses: () => get<Addresses>('/api/addresses'),
  active: (id: Id, active: boolean) => post<{ account: Account }>(`/api/accounts/${part(id)}/active`, { active }),

  languages: () => get<CourseLanguage[]>('/api/languages'),
  contests: () => get<{ items: ContestSummary[] }>('/api/contests'),
  contest: (id: string) => get<Contest>(contest(id)),
  create: (wish: ContestWish) => post<Contest>('/api/contests', wish),
  settings: (id: string, wish: ContestWish) => post<Contest>(`${contest(id)}/settings`, wish),
  lock: (id: string, reason: string | null) => post<unknown>(`${contest(id)}/lock`, { reason }),
  freeze: (id: string, frozen: boolean) => post<unknown>(`${contest(id)}/freeze`, { frozen }),
  announce: (id: string, text: string) => post<unknown>(`${contest(id)}/announce`, { text }),
  removeAnnouncement: (id: string, announcement: Id) => post<unknown>(`${contest(id)}/announcements/${part(announcement)}/remove`),
  rejudgeAll: (id: string) => post<{ matches: number }>(`${contest(id)}/rejudge`),
  scoreboard: (id: string, live: boolean) => get<Scoreboard>(`${contest(id)}/scoreboard${live ? '?live=1' : ''}`),
  cross: (id: string) => get<Cross>(`${contest(id)}/cross?top=50`),
  history: (id: string, account?: Id) => get<{ points: HistoryPoint[] }>(`${contest(id)}/history${account === undefined ? '' : `?account=${part(account)}`}`),
  losses: (id: string) => get<Losses>(`${contest(id)}/losses`),

  submit: (id: string, language: string, file_name: string, source_base64: string) =>
    post<Submission>(`${contest(id)}/submissions`, { language, ...(file_name ? { file_name } : {}), source_base64 }),
  submissions: (id: string, account: string | null, after: string | number | null) =>
    get<Page<Submission>>(`${contest(id)}/submissions?limit=30${account === null ? '' : `&account=${encodeURIComponent(account)}`}${cursor(after)}`),
  submission: (id: Id) => get<WholeSubmission>(submission(id)),
  disqualify: (id: Id, reason: string | null) => post<unknown>(`${submission(id)}/disqualify`, { reason }),
  rejudge: (id: Id) => post<unknown>(`${submission(id)}/rejudge`),
  challenge: (id: Id, opponent: Id) => post<Match>(`${submission(id)}/challenge`, { opponent }),

  match: (id: Id) => get<WholeMatch>(`/api/matches/${part(id)}`),
  game: (match: Id, number: number) => get<WholeGame>(gameAddress(match, number)),
  frames: (match: Id, number: number) => get<GameFrames>(`${gameAddress(match, number)}/frames?eyes=all`),
};
