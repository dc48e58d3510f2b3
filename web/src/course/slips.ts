/** What is printed or saved with one-time codes: where the server is, and the list as a file. */
import type { Addresses, Code } from './types';

/** Whether only the computer itself reaches this address. */
export function isLocal(address: string): boolean {
  const host = address.trim().replace(/^[a-z]+:\/\//i, '').replace(/[/?#].*$/, '').replace(/:\d+$/, '').toLowerCase();
  return host === 'localhost' || host.endsWith('.localhost') || /^127\./.test(host) || host === '[::1]' || host === '0.0.0.0' || host === '[::]';
}

/** The addresses worth offering, the best first: the one its operator set, the one this page was opened at, those in its networks. */
export function offers(addresses: Addresses | null, origin: string): string[] {
  const known = [addresses?.public ?? '', isLocal(origin) ? '' : origin, ...(addresses?.network ?? [])];
  return [...new Set(known.filter((address) => address !== ''))];
}

/** An address as it is typed from paper: without what every browser adds by itself. */
export const onPaper = (address: string): string => `${address.trim().replace(/^http:\/\//i, '').replace(/\/+$/, '')}/welcome`;

/** A moment that spreadsheets read, in local time: `2026-12-02 20:37`. */
export function plainMoment(time: number): string {
  const date = new Date(time);
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16).replace('T', ' ');
}

const cell = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The codes as a file for spreadsheets; the mark at its beginning tells them that it is UTF-8. */
export function codesFile(codes: readonly Code[], headings: readonly string[], when: (time: number) => string, address: string): string {
  const rows = codes.map((code) => [code.name, code.person ?? '', code.group ?? '', code.code, when(code.expires), address]);
  return `\ufeff${[headings, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}
