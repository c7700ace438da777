import type { ComponentProps } from 'react';
import { ExplainedCheckbox } from '../../shared/ui/ExplainedCheckbox.tsx';
import { useCheckInTranslations } from './translations.ts';

/** A checkbox by which a challenge's creator requires a check-in. */
export function RequireCheckIn(input: ComponentProps<'input'>) {
  const t = useCheckInTranslations();
  return <ExplainedCheckbox name="checkInRequired" label={t('ask')} explanation={t('askStory')} {...input} />;
}
