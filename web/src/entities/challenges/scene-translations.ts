import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/scenes.ts';

/** The kinds of places. */
export const { useTranslations: useSceneTranslations } = catalogue('scenes', english);
