/** Figures and times as people read them. */
import { language } from '../texts/language.svelte';
import type { Brain } from './types';

const locale = () => (language() === 'zh' ? 'zh-CN' : 'en-GB');

export const moment = (time: number): string => new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(time);

/** `1.5 MB`, `340 KB`. */
export function size(bytes: number): string {
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
  return bytes >= 1000 ? `${Math.round(bytes / 1000)} KB` : `${bytes} B`;
}

/** A length of time in whole units: `2 s`, `3 min`. */
export function length(ms: number): string {
  const [second, minute, hour] = language() === 'zh' ? [' 秒', ' 分钟', ' 小时'] : [' s', ' min', ' h'];
  const seconds = ms / 1000;
  if (seconds < 120) return `${Math.round(seconds * 10) / 10}${second}`;
  return seconds < 7200 ? `${Math.round(seconds / 60)}${minute}` : `${(seconds / 3600).toFixed(1)}${hour}`;
}

/** A program as it is named beside others; a built-in player has no versions. */
export const brainName = (brain: Brain): string => (brain.kind === 'reference' ? brain.nickname : `${brain.nickname} v${brain.version}`);

/** Half points and whole ones. */
export const figure = (value: number): string => String(Math.round(value * 100) / 100);
