/** Times in figures. */

/** `4:05`, `1:02:03`, and tenths once it gets tight. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 20_000) return `0:${(Math.floor(left / 100) / 10).toFixed(1).padStart(4, '0')}`;
  const seconds = Math.ceil(left / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** How long a ply took: `0.3 s`, `12 s`, `2:07`. */
export function spanText(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(ms < 95 ? 2 : 1)} s`;
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
  return clockText(ms);
}
