export default {
  tab: 'Profile',
  yours: 'Your profile',
  points_one: '{count} Points',
  points_other: '{count} Points',
  earned_one: 'Completed! That was {count} point.',
  earned_other: 'Completed! That was {count} points.',
  earnedBefore: 'Completed! Its points were yours already.',
  changePicture: 'Change picture',
  pictureChanged: 'That is you from now on.',
  pictureUnread:
    'This browser cannot read that picture. Choose a JPEG, PNG or WebP of up to 1 MB, or a screenshot of it.',
  pictureNotShrunk:
    'Your browser protects what pages draw, so this picture cannot be made smaller here. Choose a JPEG, PNG or WebP of up to 1 MB.',
  updateDetails: 'Update Profile Details',
  update: 'Update',
  updated: 'Your profile is up to date.',
  email: 'Email',
  currentPassword: 'Your password, since this is how you get in',
  firstName: 'First name',
  lastName: 'Last name',
} as const;
