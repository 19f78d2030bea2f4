// Everything about FMUs, which is loaded when it is needed.
export { FmuPage } from "./fmu_page";
export { FmusPage } from "./fmus_page";
export { OwnPage } from "./own_page";
