import { UnstyledButton } from '@mantine/core';
import { IconHeart, IconHeartFilled } from '@tabler/icons-react';
import type { LogEntry } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { useMutation } from '../../shared/lib/use-mutation.ts';
import { FormError } from '../../shared/ui/Message.tsx';
import classes from './ThanksButton.module.css';
import { useLogTranslations } from './translations.ts';

interface Props {
  entry: Pick<LogEntry, 'id' | 'thanks'>;
  /** One's own completion: only the number of thanks is shown. */
  isOwn: boolean;
}

/** Thanks for a completion, with their number; a second press withdraws one's own. */
export function ThanksButton({ entry: { id, thanks: stored }, isOwn }: Props) {
  const t = useLogTranslations();
  const thanking = useMutation('thank');
  const withdrawing = useMutation('withdrawThanks');
  // Until the list is loaded again.
  const [changed, setChanged] = useState<LogEntry['thanks']>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newer of the two is shown
  useEffect(() => setChanged(undefined), [stored]);
  const thanks = changed ?? stored;
  if (!thanks) return null;
  const { count, mine } = thanks;
  const number = count > 0 ? t('thanks', { count }) : '';
  if (isOwn) return number && <p className={classes.number}>{number}</p>;
  const isSending = thanking.state === 'loading' || withdrawing.state === 'loading';
  const toggle = () => {
    if (isSending) return;
    const { send } = mine ? withdrawing : thanking;
    send({ params: { id } }, (entry) => setChanged(entry.thanks));
  };
  const Icon = mine ? IconHeartFilled : IconHeart;
  return (
    <div className={classes.thanks}>
      <UnstyledButton className={classes.button} aria-pressed={mine} onClick={toggle}>
        <Icon size={20} aria-hidden />
        {t('thank')}
      </UnstyledButton>
      <span className={classes.number}>{number}</span>
      <FormError>{thanking.error ?? withdrawing.error}</FormError>
    </div>
  );
}
