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
  if (!reveal()) scrollTo(0, 0);
}

/** Scrolls to the place the address names, if it is there; pages that load more call it again. */
export function reveal(): boolean {
  let name = location.hash.slice(1);
  try {
    name = decodeURIComponent(name);
  } catch {
    // Then it is the name as it stands.
  }
  const named = name === '' ? null : document.getElementById(name);
  named?.scrollIntoView();
  return named !== null;
}

/** Keeps where one is in the address, so that the link leads there again; nothing is loaded or scrolled. */
export function keep(query: Record<string, string | null>, hash = location.hash): void {
  const now = new URLSearchParams(location.search);
  for (const [key, value] of Object.entries(query)) {
    if (value === null) now.delete(key);
    else now.set(key, value);
  }
  const text = now.toString();
  history.replaceState(null, '', `${location.pathname}${text && `?${text}`}${hash}`);
  state.place = here();
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
