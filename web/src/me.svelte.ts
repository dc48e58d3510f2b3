/** Who this page's visitor is, as far as the server knows. Asked once, and again after signing in or out. */
import { api } from './api/client';
import type { Account, Me, Role } from './api/types';

const state = $state<{ me: Me | null }>({ me: null });

export const me = (): Me | null => state.me;
export const account = (): Account | null => state.me?.account ?? null;

const order: Role[] = ['guest', 'student', 'assistant', 'admin'];
/** Whether the visitor may do what this role may. */
export const may = (role: Role): boolean => order.indexOf(account()?.role ?? 'guest') >= order.indexOf(role);

export async function refresh(): Promise<Me | null> {
  try {
    state.me = await api.me();
  } catch {
    // Whoever cannot be asked stays a guest; the page that needs more will say so.
    state.me ??= { guest: true, name: null };
  }
  return state.me;
}
