import type { ComponentProps } from 'react';
import { ToldCheckbox } from '../../shared/ui/ToldCheckbox.tsx';
import { useCheckInTranslations } from './translations.ts';

/** Whether a challenge's maker asks for a check-in. */
export function CheckInAsked(input: ComponentProps<'input'>) {
  const t = useCheckInTranslations();
  return <ToldCheckbox name="checkInAsked" label={t('ask')} story={t('askStory')} {...input} />;
}
