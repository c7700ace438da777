import type { ComponentProps } from 'react';
import { ToldCheckbox } from '../../shared/ui/ToldCheckbox.tsx';
import { useCheckInTranslations } from './translations.ts';

/** A checkbox by which a challenge's creator requires a check-in. */
export function CheckInAsked(input: ComponentProps<'input'>) {
  const t = useCheckInTranslations();
  return <ToldCheckbox name="checkInAsked" label={t('ask')} story={t('askStory')} {...input} />;
}
