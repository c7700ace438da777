export default {
  tab: 'Profile',
  settings: 'Settings',
  yours: 'Your profile',
  points_one: '{count} Points',
  points_other: '{count} Points',
  earned_one: 'Completed! You earned {count} point.',
  earned_other: 'Completed! You earned {count} points.',
  earnedBefore: "Completed! You've already earned these points.",
  changePicture: 'Change picture',
  pictureChanged: 'Profile picture updated.',
  pictureUnread:
    "This browser can't read that picture. Choose a JPEG, PNG or WebP of up to 1 MB, or a screenshot of it.",
  pictureNotShrunk:
    "Your browser's privacy protection blocks drawing pictures, so this one can't be made smaller here. Choose a JPEG, PNG or WebP of up to 1 MB.",
  updateDetails: 'Update Profile Details',
  update: 'Update',
  updated: 'Profile updated.',
  email: 'Email',
  currentPassword: 'Current password (required to change login details)',
  firstName: 'First name',
  lastName: 'Last name',
} as const;
