import { useCheckInTranslations } from '../../../entities/check-in/translations.ts';
import { ToldCheckbox } from '../../../shared/ui/ToldCheckbox.tsx';

interface Props {
  /** Whether the creator requires a check-in: then there is no choice. */
  asked: boolean;
  wanted: boolean;
  onChange(wanted: boolean): void;
}

/** The choice to check in when completing a challenge. */
export function CheckInChoice({ asked, wanted, onChange }: Props) {
  const t = useCheckInTranslations();
  if (asked) return <p>{t('asked')}</p>;
  return (
    <ToldCheckbox
      name="check-in"
      label={t('checkIn')}
      story={t('story')}
      checked={wanted}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
