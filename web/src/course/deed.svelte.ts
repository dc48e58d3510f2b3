/** One thing somebody asks for: busy while it is done, and what the server said about it. */
import { ApiError } from '../api/client';

export class Deed {
  busy = $state(false);
  trouble = $state.raw<ApiError | null>(null);
  note = $state('');

  /** Does it; gives `undefined` when it was refused. */
  async run<T>(act: () => Promise<T>): Promise<T | undefined> {
    this.busy = true;
    this.trouble = null;
    this.note = '';
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error;
      return undefined;
    } finally {
      this.busy = false;
    }
  }
}
