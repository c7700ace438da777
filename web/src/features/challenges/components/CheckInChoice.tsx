import { useCheckInTranslations } from '../../../entities/check-in/translations.ts';
import { ExplainedCheckbox } from '../../../shared/ui/ExplainedCheckbox.tsx';

interface Props {
  /** Whether the creator requires a check-in: then there is no choice. */
  isRequired: boolean;
  wanted: boolean;
  onChange(wanted: boolean): void;
}

/** The choice to check in when completing a challenge. */
export function CheckInChoice({ isRequired, wanted, onChange }: Props) {
  const t = useCheckInTranslations();
  if (isRequired) return <p>{t('required')}</p>;
  return (
    <ExplainedCheckbox
      name="check-in"
      label={t('checkIn')}
      explanation={t('story')}
      checked={wanted}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
