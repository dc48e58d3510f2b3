/** Which language the page speaks, and how to say a text in it. */
import type { Phrase } from '../api/types';
import { recall, remember } from '../settings.svelte';
import { en } from './en';
import type { Texts } from './texts';
import { zh } from './zh';

export type Language = 'zh' | 'en';

export const dictionaries: Record<Language, Texts> = { en, zh };

function first(): Language {
  const kept = recall('boyi-language');
  if (kept === 'zh' || kept === 'en') return kept;
  return /^zh/i.test(navigator.language) ? 'zh' : 'en';
}

const state = $state<{ language: Language }>({ language: first() });

export const language = (): Language => state.language;

/** Switches in place; everything that reads `t()` or `say()` follows. */
export function speak(language: Language): void {
  state.language = language;
  remember('boyi-language', language);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}

/** The page's own texts. */
export const t = (): Texts => dictionaries[state.language];

/** A text the server sent in both languages. */
export const say = (phrase: Phrase | string | null | undefined): string =>
  phrase == null ? '' : typeof phrase === 'string' ? phrase : phrase[state.language];
