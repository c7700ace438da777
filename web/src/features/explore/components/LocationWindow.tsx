import { Button } from '@mantine/core';
import type { Position } from '@wayquest/contracts';
import { FormError } from '../../../shared/ui/FormError.tsx';
import type { PlaceFinder } from '../map/map.ts';
import { useTranslations } from '../translations.ts';
import { useFoundAddress } from '../use-found-address.ts';
import { CreateForm } from './CreateForm.tsx';
import classes from './LocationWindow.module.css';
import { WindowFrame } from './WindowFrame.tsx';

interface Props {
  position: Position;
  finder: PlaceFinder;
  /** The path that shows this position again. */
  here: string;
  onCenter(): void;
  onClose(): void;
  onCreated(): void;
}

const nowhere = { streetAddress: '', city: '', state: '', zip: '' };

/** The window of an empty position: its address, and the form for a challenge there. */
export function LocationWindow({ position, finder, here, onCenter, onClose, onCreated }: Props) {
  const t = useTranslations();
  const lookup = useFoundAddress(finder, position);
  const { streetAddress, city, state, zip } = lookup.state === 'found' ? lookup.address : nowhere;
  return (
    <WindowFrame title={t('createTitle')} onClose={onClose}>
      <div className={classes.address}>
        {lookup.state === 'loading' && <p>{t('lookingForAddress')}</p>}
        {lookup.state === 'found' && <p>{lookup.address.label}</p>}
        {lookup.state === 'failed' && <FormError>{t('addressFailed', { status: lookup.status })}</FormError>}
      </div>
      <Button variant="default" onClick={onCenter}>
        {t('setCenter')}
      </Button>
      <CreateForm
        spot={{ position, locationName: streetAddress, streetAddress, city, state, zip }}
        address={lookup.state === 'loading' ? 'loading' : city ? 'known' : 'manual'}
        here={here}
        onCreated={onCreated}
      />
    </WindowFrame>
  );
}
