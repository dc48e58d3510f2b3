/** Starting positions as lines of text: the usual start, the plies that lead away from it, between bars, or a position. */
import type { Start } from './types';

const POSITION = 'position ';

const writeStart = (one: Start): string => (one.position ? POSITION + one.position : one.plies.length === 0 ? 'start' : one.plies.join(' | '));

export const writeStarts = (starts: readonly Start[]): string => starts.map(writeStart).join('\n');

function readStart(line: string): Start {
  if (line === 'start') return { plies: [] };
  if (line.startsWith(POSITION)) return { plies: [], position: line.slice(POSITION.length).trim() };
  return { plies: line.split('|').map((ply) => ply.trim()).filter((ply) => ply !== '') };
}

export const readStarts = (text: string): Start[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(readStart);

/** Student numbers as somebody pastes them: parted by spaces, commas, semicolons or lines, each once. */
export const readNames = (text: string): string[] => [...new Set(text.split(/[\s,，;；、]+/u).filter((name) => name !== ''))];
