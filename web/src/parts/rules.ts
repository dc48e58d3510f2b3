/** Variants and clocks in words; which variants there are and what they are called, the games themselves say. */
import type { GameInfo, GameOption, Phrase, Preset, TimeControl, Variant } from '../api/types';
import type { Texts } from '../texts/texts';

type Say = (phrase: Phrase) => string;

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The variant nobody had to choose: the one people usually play. */
export const usualVariant = (game: GameInfo): Variant => game.presets[0]?.variant ?? game.defaults.variant;

/** The preset with exactly these options. */
export const presetOf = (game: GameInfo, variant: Variant): Preset | undefined =>
  game.presets.find((preset) => game.options.every(({ key }) => same(preset.variant[key], variant[key])));

/** What a value is called. */
export function valueWords(option: GameOption, value: unknown, say: Say): string {
  const { control } = option;
  if (control.kind === 'choice') {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const choice = control.values.find((one) => one.value === text);
    return choice ? say(choice.name) : text;
  }
  if (control.kind === 'number' && value === 0 && control.zero) return say(control.zero);
  return Array.isArray(value) ? String(value.length) : String(value);
}

/** The rules of a game in words: the name of its variant, or what is not as usual. */
export function ruleWords(game: GameInfo, variant: Variant, say: Say, t: Texts): string {
  const preset = presetOf(game, variant);
  if (preset) return say(preset.name);
  const changed = game.options.filter(({ key }) => !same(variant[key], game.defaults.variant[key]));
  if (changed.length === 0) return say(game.board);
  return changed.map((option) => t.ruleOf(say(option.name), valueWords(option, variant[option.key], say))).join(t.semicolon);
}

/** A clock in words. */
export function timeWords(time: TimeControl | null, t: Texts): string {
  const parts: string[] = [];
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  if (time?.game_ms != null) {
    const minutes = Math.round(time.game_ms / 6000) / 10;
    parts.push(time.increment_ms ? t.clockFischer(minutes, seconds(time.increment_ms)) : t.clockGame(minutes));
  }
  if (time?.ply_ms != null) parts.push(t.clockPly(seconds(time.ply_ms)));
  return parts.length === 0 ? t.clockNone : parts.join(t.comma);
}
