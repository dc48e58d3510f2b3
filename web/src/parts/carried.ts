/** A record carried by its own link: behind the `#`, which browsers do not send, so that nothing is kept on the server. */

/** Links longer than this are cut by some apps; then the record stays a file. */
const LONGEST = 30_000;

const base64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const bytesOf = (text: string) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

const through = async (bytes: Uint8Array, change: TransformStream) =>
  new Uint8Array(await new Response(new Blob([bytes as BlobPart]).stream().pipeThrough(change)).arrayBuffer());

/** What stands behind the `#`; nothing where the record is too long. */
export async function carry(record: unknown): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(record)), new CompressionStream('deflate-raw'));
  const text = `#record=${base64(packed)}`;
  return text.length > LONGEST ? '' : text;
}

/** The record in a link; nothing where there is none, or one that was cut. */
export async function carried(hash: string): Promise<string | null> {
  const packed = /^#record=([\w-]+)$/.exec(hash)?.[1];
  if (!packed || packed.length > LONGEST) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await through(bytesOf(packed), new DecompressionStream('deflate-raw')));
  } catch {
    return null;
  }
}
