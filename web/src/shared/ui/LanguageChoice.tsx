import { useDispatch } from 'react-redux';
import { currentLanguage, type Language, languages } from '../i18n/catalogue.ts';
import { useCommonTranslations } from '../i18n/common.ts';
import { chooseLanguage, languageTags } from '../i18n/language.ts';
import { noticed } from '../notice/notice-slice.ts';
import { ChoiceButtons } from './ChoiceButtons.tsx';

/** Selects the language of the interface. */
export function LanguageChoice() {
  const t = useCommonTranslations();
  const dispatch = useDispatch();
  const choose = async (language: Language) => {
    try {
      await chooseLanguage(language);
    } catch {
      dispatch(noticed({ text: t('outOfReach'), tone: 'bad' }));
    }
  };
  return (
    <ChoiceButtons
      label={t('language')}
      choices={(['en', 'zh'] as const).map((value) => ({
        value,
        label: languages[value],
        lang: languageTags[value],
      }))}
      chosen={currentLanguage()}
      onChoose={choose}
    />
  );
}
