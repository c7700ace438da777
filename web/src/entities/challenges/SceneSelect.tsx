import { NativeSelect } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type Scene, scenes } from '@wayquest/contracts';
import type { ChangeEventHandler } from 'react';
import { useSceneTranslations } from './scene-translations.ts';
import { useChallengeTranslations } from './translations.ts';

interface Props {
  className?: string;
  /** The selected value; an empty one shows the guess. */
  value: string;
  guess: Scene;
  onChange: ChangeEventHandler<HTMLSelectElement>;
}

/** Selects the kind of place of a challenge: guessed, unless the creator chooses. */
export function SceneSelect({ value, guess, ...select }: Props) {
  const ofChallenge = useChallengeTranslations();
  const kinds = useSceneTranslations();
  return (
    <NativeSelect
      label={ofChallenge('kind')}
      name="scene"
      data={scenes.map((scene) => ({ value: scene, label: kinds(scene) }))}
      rightSection={<IconChevronDown size={18} aria-hidden />}
      value={value || guess}
      {...select}
    />
  );
}
