import classes from './map-colors.module.css';

/** The class with the drawn map's colors, for both color schemes. */
export const mapColors = classes.colors ?? '';
