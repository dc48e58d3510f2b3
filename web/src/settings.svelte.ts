/** What a visitor chose, kept in this browser. */

export type Theme = 'system' | 'light' | 'dark';
/** When a ply wants an explicit confirmation: where it is easily made by mistake, always, or never. */
export type Confirm = 'auto' | 'always' | 'never';

interface Chosen {
  theme: Theme;
  sound: boolean;
  confirm: Confirm;
  coordinates: boolean;
  targets: boolean;
}

const defaults: Chosen = { theme: 'system', sound: true, confirm: 'auto', coordinates: true, targets: true };

/** Storage may be forbidden; then a choice lasts as long as the page. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Nothing to do: the choice simply is not kept.
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // It was not kept either.
  }
}

function load(): Chosen {
  try {
    return { ...defaults, ...(JSON.parse(recall('boyi-settings') ?? '{}') as Partial<Chosen>) };
  } catch {
    return { ...defaults };
  }
}

export const settings = $state<Chosen>(load());

/** Changes one setting and keeps it. */
export function choose<K extends keyof Chosen>(key: K, value: Chosen[K]): void {
  settings[key] = value;
  remember('boyi-settings', JSON.stringify(settings));
  if (key === 'theme') {
    remember('boyi-theme', settings.theme);
    dress();
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Puts the chosen theme on; `theme.js` did the same before the first paint. */
function dress(): void {
  document.documentElement.dataset['theme'] = settings.theme === 'system' ? (dark.matches ? 'dark' : 'light') : settings.theme;
}

dark.addEventListener('change', dress);

/** True when the visitor asked his system for calm pages. */
export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
