/** Short sounds made on the spot; silent until the visitor has touched the page, and when he does not want them. */
import { settings } from '../settings.svelte';

let context: AudioContext | undefined;

function wake(): void {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
}

addEventListener('pointerdown', wake, { once: true });
addEventListener('keydown', wake, { once: true });

export type Sound = 'place' | 'take' | 'step' | 'refuse' | 'end';

/** A knock: a short burst of filtered noise over a falling tone. */
function knock(pitch: number, length: number, loud: number, delay = 0): void {
  if (!context) return;
  const begin = context.currentTime + delay;
  const gain = context.createGain();
  gain.gain.setValueAtTime(loud, begin);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  gain.connect(context.destination);
  const tone = context.createOscillator();
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(pitch, begin);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, begin + length);
  tone.connect(gain);
  tone.start(begin);
  tone.stop(begin + length);
}

/** Plays a sound, if sounds are wanted and allowed. */
export function play(sound: Sound): void {
  if (!settings.sound || !context || document.hidden) return;
  switch (sound) {
    case 'place':
      return knock(420, 0.09, 0.35);
    case 'step':
      return knock(560, 0.05, 0.16);
    case 'take':
      knock(300, 0.1, 0.35);
      return knock(190, 0.16, 0.3, 0.07);
    case 'refuse':
      return knock(150, 0.18, 0.3);
    case 'end':
      knock(392, 0.25, 0.22);
      knock(523, 0.3, 0.22, 0.14);
      return knock(659, 0.5, 0.22, 0.28);
  }
}
