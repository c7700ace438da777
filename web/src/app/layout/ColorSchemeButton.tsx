import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { useTranslations } from './translations.ts';

/** Day or night. Until it is pressed the device decides. */
export function ColorSchemeButton() {
  const t = useTranslations();
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme() === 'dark';
  const Icon = dark ? IconSun : IconMoon;
  return (
    <IconButton
      aria-label={t(dark ? 'lightTheme' : 'darkTheme')}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    >
      <Icon size={20} stroke={1.75} aria-hidden />
    </IconButton>
  );
}
