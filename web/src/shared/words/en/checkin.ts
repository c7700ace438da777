export default {
  checkIn: 'Check in with my position',
  story: 'It is compared with the place, and not kept.',
  asked: 'Its maker asks for a check-in: be within 100 m of the place. Your position is not kept.',
  checkedIn: 'Checked in',
  notNear: 'Completed on your word: you were not near enough to check in.',
  positionKept: 'Completed on your word: your position could not be had.',
  ask: 'Ask for a check-in',
  askStory: 'Only who is within 100 m of the place can complete it.',
} as const;
