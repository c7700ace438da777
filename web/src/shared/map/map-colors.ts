import classes from './map-colors.module.css';

/** What colours a drawn map, by day and by night. */
export const mapColors = classes.colors ?? '';
