/** A source on its way to the judge. */
import type { CourseLanguage } from './types';

/** Bytes as base64: a file goes as it is, in whatever encoding it was saved. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  // In pieces, for a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/** The language a file's name speaks of. */
export function languageOf(name: string, languages: readonly CourseLanguage[]): string | null {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const fits = (one: CourseLanguage) => one.missing === null && one.endings.some((known) => known.replace(/^\./, '').toLowerCase() === ending);
  return languages.find(fits)?.id ?? null;
}

/** A compiler's version line without what only its packager needs: `gcc (Debian 12.2.0-14) 12.2.0`. */
export const compilerName = (version: string | null): string => (version ?? '').replace(/\s*\([^)]*\)/g, '');
