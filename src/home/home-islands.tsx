import { Plans } from '../catalogue/plans.tsx';
import { Services, Solutions } from '../catalogue/services-and-solutions.tsx';
import { ContactForm } from '../contact/contact-form.tsx';
import { LastSubmission } from '../contact/last-submission.tsx';
import { HeroCarousel } from './hero-carousel.tsx';

export default { HeroCarousel, Services, Solutions, Plans, ContactForm, LastSubmission };
