/** Starting positions as lines of text: the usual start, or the plies that lead away from it, between bars. */
import type { Start } from './types';

export const writeStarts = (starts: readonly Start[]): string => starts.map((one) => (one.plies.length === 0 ? 'start' : one.plies.join(' | '))).join('\n');

export const readStarts = (text: string): Start[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => ({ plies: line === 'start' ? [] : line.split('|').map((ply) => ply.trim()).filter((ply) => ply !== '') }));
