/** The boards of the first page: public games that are going on, kept up to date. */
import { after } from '../board/scene';
import type { Frame, Summary, View } from './types';

export interface LiveBoard {
  summary: Summary;
  view: View;
}

export class Live {
  boards = $state.raw<LiveBoard[]>([]);
  known = $state(false);
  #source: EventSource | null = null;

  open(): void {
    const source = new EventSource('/api/live/events');
    this.#source = source;
    const on = <T>(name: string, act: (data: T) => void) =>
      source.addEventListener(name, (event) => act(JSON.parse((event as MessageEvent<string>).data) as T));
    on<LiveBoard[] | { rooms: LiveBoard[] }>('rooms', (data) => {
      this.boards = Array.isArray(data) ? data : data.rooms;
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
