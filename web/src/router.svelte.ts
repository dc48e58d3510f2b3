/** Which page is shown. Addresses are real paths; the server answers each with the same document. */

export interface Place {
  path: string;
  query: URLSearchParams;
}

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

const state = $state<{ place: Place }>({ place: here() });

export const place = (): Place => state.place;

/** Goes to another page of this application. */
export function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  state.place = here();
  scrollTo(0, 0);
}

addEventListener('popstate', () => (state.place = here()));

/** Links within the application change the page without loading it anew. */
addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/') || link.pathname === '/metrics' || link.pathname === '/healthz') return;
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  if (link.href !== location.href) go(link.pathname + link.search + link.hash);
});
