// Everything about FMUs, which is loaded when it is needed.
export { FmuPage } from "../fmus/fmu_page";
export { FmusPage } from "../fmus/fmus_page";
export { OwnPage } from "../own/own_page";
