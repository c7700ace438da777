import { Button, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { FormError } from '../../shared/ui/FormError.tsx';
import { Failure } from '../../shared/ui/Message.tsx';
import { Pending } from '../../shared/ui/Pending.tsx';
import { Section } from '../../shared/ui/Section.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import classes from './Blocks.module.css';
import { useBlocks } from './use-blocks.ts';
import { useWords } from './words.ts';

/** Whom the person has blocked, each with the way back. */
export function BlockedPeople() {
  const t = useWords();
  const keptFocus = useKeptFocus<HTMLDivElement>();
  const { asked, blocked, change, unblock } = useBlocks();
  return (
    <Section titleId="blocks-title" title={t('title')}>
      <div {...keptFocus}>
        {asked.state === 'failed' && <Failure onRetry={asked.again}>{asked.error}</Failure>}
        {asked.state !== 'failed' && !blocked && (
          <Pending>
            <Skeleton height={24} />
          </Pending>
        )}
        {blocked && <Text>{t(blocked.length > 0 ? 'lead' : 'none')}</Text>}
        {blocked && blocked.length > 0 && (
          <ul className={classes.people}>
            {blocked.map((user) => (
              <li key={user.id}>
                <Link to={`/users/${user.id}`}>{user.username}</Link>
                <Button
                  variant="default"
                  disabled={change.state === 'loading'}
                  aria-label={t('unblockName', { username: user.username })}
                  onClick={() => unblock(user)}
                >
                  {t('unblock')}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <FormError>{change.error}</FormError>
      </div>
    </Section>
  );
}
