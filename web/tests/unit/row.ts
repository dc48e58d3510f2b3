/** A row of four squares with an amazon on the first, for tests of what is drawn and clicked. */
import type { Geometry, Piece } from '../../src/api/types';

export const geometry: Geometry = {
  spots: [0, 1, 2, 3].map((x) => ({ name: `S${x}`, kind: 'light-cell', x, y: 0 })),
  strokes: [],
  pips: [],
  labels: [],
};
export const amazon: Piece = { spot: 0, figure: 'amazon', side: 'black' };
