/** Starting positions as lines of text: a position or the word `start`, and plies after bars. */
import type { Start } from './types';

export const writeStarts = (starts: readonly Start[]): string => starts.map((one) => [one.position ?? 'start', ...one.plies].join(' | ')).join('\n');

export function readStarts(text: string): Start[] {
  return text
    .split('\n')
    .map((line) => line.split('|').map((word) => word.trim()))
    .filter((words) => words.some((word) => word !== ''))
    .map(([position = '', ...plies]) => ({
      position: position === '' || position === 'start' ? null : position,
      plies: plies.filter((ply) => ply !== ''),
    }));
}
