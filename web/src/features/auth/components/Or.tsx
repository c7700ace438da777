import classes from './AuthCard.module.css';

export const Or = () => <div className={classes.or}>or</div>;
