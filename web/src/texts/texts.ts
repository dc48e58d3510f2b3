import type { en } from './en';

/** Every text of the pages; a dictionary that lacks one, or has one too many, does not compile. */
export type Texts = {
  [Key in keyof typeof en]: (typeof en)[Key] extends (...given: infer Given) => string
    ? (...given: Given) => string
    : string;
};
