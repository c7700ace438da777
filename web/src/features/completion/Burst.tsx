import classes from './Burst.module.css';

const colours = ['amber-5', 'purple-5', 'moss-5', 'amber-3'];
const sparks = Array.from({ length: 14 }, (_, place) => {
  const angle = (place / 14) * 2 * Math.PI;
  const reach = place % 2 ? 74 : 52;
  return {
    '--x': `${Math.round(Math.cos(angle) * reach)}px`,
    '--y': `${Math.round(Math.sin(angle) * reach * 0.7)}px`,
    background: `var(--mantine-color-${colours[place % colours.length]})`,
  };
});

/** A subtle burst around its container. */
export function Burst() {
  return (
    <span className={classes.burst} aria-hidden="true">
      {sparks.map((style) => (
        <span key={style['--x'] + style['--y']} className={classes.spark} style={style} />
      ))}
    </span>
  );
}
