/** The boards of the first page: listed games where somebody is, kept up to date. */
import { after } from '../board/scene';
import type { Frame, Standing, Summary, View } from './types';

export interface LiveBoard {
  summary: Summary;
  standing: Standing;
  view: View;
}

export class Live {
  boards = $state.raw<LiveBoard[]>([]);
  known = $state(false);
  /** How many listed games are played, and wait for somebody, in all. */
  running = $state(0);
  waiting = $state(0);
  #source: EventSource | null = null;

  open(): void {
    const source = new EventSource('/api/live/events');
    this.#source = source;
    const on = <T>(name: string, act: (data: T) => void) =>
      source.addEventListener(name, (event) => act(JSON.parse((event as MessageEvent<string>).data) as T));
    on<{ rooms: LiveBoard[]; running: number; waiting: number }>('rooms', (data) => {
      this.boards = data.rooms;
      this.running = data.running;
      this.waiting = data.waiting;
      this.known = true;
    });
    on<{ id: string; frame: Frame }>('frame', ({ id, frame }) => {
      this.boards = this.boards.map((board) =>
        board.summary.id === id ? { ...board, view: { ...board.view, ...after(board.view, frame) } } : board,
      );
    });
    on<{ id: string }>('gone', ({ id }) => {
      this.boards = this.boards.filter((board) => board.summary.id !== id);
    });
  }

  close(): void {
    this.#source?.close();
  }
}
