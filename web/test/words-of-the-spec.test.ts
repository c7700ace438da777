import auth from '../src/shared/words/en/auth.ts';
import home from '../src/shared/words/en/home.ts';
import layout from '../src/shared/words/en/layout.ts';

/** What section 2 of the specification words, screen by screen, is said to the letter. */
test.each([
  ['the navigation', layout, 'Explore'],
  ['the navigation', layout, 'Challenges'],
  ['the navigation', layout, 'Leaderboard'],
  ['the navigation', layout, 'Sign Up'],
  ['the navigation', layout, 'Log In'],
  ['the navigation', layout, 'Users'],
  ['the avatar menu', layout, 'Profile'],
  ['the avatar menu', layout, 'Friends'],
  ['the avatar menu', layout, 'Friend Requests'],
  ['the avatar menu', layout, 'Messenger'],
  ['the avatar menu', layout, 'Logout'],
  ['/home', home, 'Challenge Yourself to Explore Your World'],
  ['/home', home, 'Start Exploring'],
  ['/home', home, 'Create an Account'],
  ['/home', home, 'Make challenges'],
  ['/home', home, 'Compete against friends'],
  ['/home', home, 'Explore your local area'],
  ['/login', auth, 'username'],
  ['/login', auth, 'password'],
  ['/login', auth, 'Login'],
  ['/login', auth, "Don't have an account? Create Account"],
  ['/login', auth, 'Sign in with Google'],
  ['/signup', auth, 'Sign Up'],
  ['/signup', auth, 'Sign Up with Google'],
])('%s', (_screen, sentences, text) => {
  expect(Object.values(sentences)).toContain(text);
});
