import { Plans } from '../catalogue/plans.tsx';
import { Services, Solutions } from '../catalogue/services-and-solutions.tsx';
import { ContactForm } from '../contact/contact-form.tsx';
import { LastSubmission } from '../contact/last-submission.tsx';

export default { Services, Solutions, Plans, ContactForm, LastSubmission };
