/** The course pages' own texts. */
import { language } from '../texts/language.svelte';
import { dictionaries, type CourseTexts } from './dictionaries';

export const c = (): CourseTexts => dictionaries[language()];
