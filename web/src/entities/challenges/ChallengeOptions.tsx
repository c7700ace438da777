import { ExplainedCheckbox } from '../../shared/ui/ExplainedCheckbox.tsx';
import { useCheckInTranslations } from '../check-in/translations.ts';
import type { EditableFields } from './form.ts';

type Options = Pick<EditableFields, 'checkInRequired'>;

interface Props {
  values: Options;
  /** Whether the challenge has a position. */
  isOnMap: boolean;
  onChange(changes: Partial<Options>): void;
}

/** The controls of a challenge's optional fields, the same in all forms. */
export function ChallengeOptions({ values: { checkInRequired }, isOnMap, onChange }: Props) {
  const t = useCheckInTranslations();
  return (
    isOnMap && (
      <ExplainedCheckbox
        name="checkInRequired"
        label={t('ask')}
        explanation={t('askStory')}
        checked={checkInRequired}
        onChange={({ currentTarget }) => onChange({ checkInRequired: currentTarget.checked })}
      />
    )
  );
}
