-- Four searches (with tags, without, cut off, waiting), two traces, a map and an FMU as schema version 7 kept them.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE searches (
  id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
  name TEXT NOT NULL,
  problem TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted')),
  complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1)),
  created_at TEXT NOT NULL CHECK (created_at GLOB '20??-??-??T??:??:??.???Z'),
  started_at TEXT CHECK (started_at GLOB '20??-??-??T??:??:??.???Z'),
  finished_at TEXT CHECK (finished_at GLOB '20??-??-??T??:??:??.???Z'),
  reason TEXT,
  linear_region_rule TEXT NOT NULL,
  curves_done INTEGER NOT NULL DEFAULT 0,
  curves_total INTEGER NOT NULL DEFAULT 0,
  trials_done INTEGER NOT NULL DEFAULT 0,
  cost_trials INTEGER,
  cost_rhs_evaluations INTEGER,
  cost_wall_s REAL
, note TEXT NOT NULL DEFAULT '', priority INTEGER NOT NULL DEFAULT 0
  CHECK (priority BETWEEN -100 AND 100), queued_at TEXT CHECK (queued_at GLOB '20??-??-??T??:??:??.???Z'), name_key TEXT NOT NULL DEFAULT '', end_key TEXT NOT NULL DEFAULT '~', tagged INTEGER NOT NULL DEFAULT 0 CHECK (tagged IN (0, 1))) STRICT;
INSERT INTO searches VALUES('156f38638681b225','old','linear_oscillator','succeeded',1,'2026-11-24T22:55:25.890Z','2026-11-24T22:55:25.923Z','2026-11-24T22:55:26.054Z',NULL,'baseline_power_law',2,2,28,28,19196,0.1222609840000000031,'before the new valve',0,'2026-11-24T22:55:25.890Z','old','2026-11-24T22:55:26.054Z',1);
INSERT INTO searches VALUES('9d5706bf05f651cc','untagged','linear_oscillator','succeeded',1,'2026-11-24T22:55:26.451Z','2026-11-24T22:55:26.468Z','2026-11-24T22:55:26.533Z',NULL,'baseline_power_law',1,1,15,15,9904,0.048595527999999998947,'',0,'2026-11-24T22:55:26.451Z','untagged','2026-11-24T22:55:26.533Z',0);
INSERT INTO searches VALUES('35ee5384e3e2f27a','cut off','linear_oscillator','running',0,'2026-11-24T22:55:31.568Z','2026-11-24T22:55:31.612Z',NULL,NULL,'baseline_power_law',0,1,1,NULL,NULL,NULL,'',0,'2026-11-24T22:55:31.568Z','cut off','~',0);
INSERT INTO searches VALUES('e11e3a719e74a68a','waits','linear_oscillator','queued',0,'2026-11-24T22:55:32.291Z',NULL,NULL,NULL,'baseline_power_law',0,1,0,NULL,NULL,NULL,'',7,'2026-11-24T22:55:32.291Z','waits','~',0);
CREATE TABLE documents (
  search_id TEXT NOT NULL PRIMARY KEY REFERENCES searches ON DELETE CASCADE,
  provenance TEXT CHECK (provenance IS NULL OR json_valid(provenance)),
  result_table TEXT CHECK (result_table IS NULL OR json_valid(result_table)),
  job TEXT NOT NULL CHECK (json_valid(job)),
  plan TEXT NOT NULL CHECK (json_valid(plan))
) STRICT;
INSERT INTO documents VALUES('156f38638681b225','{"version":"0.1.0","build_id":"c6c43d13fc174a6d7d6157983539a1d588a7b85e","math_class":"0588345370f7f3f2"}','[{"test":"free","configurations":[{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}],"macro_step_s":0.00625,"cliff_s":0.0238418579102,"flags":["cut_at_stability_limit"]}]','{"name":"old","note":"before the new valve","problem":"linear_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["0","1"],"macro_step":{"increment_s":0.02,"initial_s":0.02,"maximum_s":0.2}},"tags":["rig 2","kept"],"tests":[{"duration_s":4,"kind":"none","name":"free"}]}','{"kind":"search","name":"old","problem":"linear_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["0","1"],"integrators":{"coupling":["exact"],"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.02,"increment_s":0.02,"maximum_s":0.2},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"accuracy":null,"stability_check":"all","validate_unseen":false,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"free","kind":"none","duration_s":4.0}]}');
INSERT INTO documents VALUES('9d5706bf05f651cc','{"version":"0.1.0","build_id":"c6c43d13fc174a6d7d6157983539a1d588a7b85e","math_class":"0588345370f7f3f2"}','[{"test":"free","configurations":[{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}],"macro_step_s":0.00625,"cliff_s":0.0238418579102,"flags":["cut_at_stability_limit"]}]','{"name":"untagged","problem":"linear_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["1"],"macro_step":{"increment_s":0.02,"initial_s":0.02,"maximum_s":0.2}},"tests":[{"duration_s":4,"kind":"none","name":"free"}]}','{"kind":"search","name":"untagged","problem":"linear_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["1"],"integrators":{"coupling":["exact"],"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.02,"increment_s":0.02,"maximum_s":0.2},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"accuracy":null,"stability_check":"all","validate_unseen":false,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"free","kind":"none","duration_s":4.0}]}');
INSERT INTO documents VALUES('35ee5384e3e2f27a','{"version":"0.1.0","build_id":"c6c43d13fc174a6d7d6157983539a1d588a7b85e","math_class":"0588345370f7f3f2"}',NULL,'{"name":"cut off","problem":"linear_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["1"],"macro_step":{"increment_s":0.0001,"initial_s":0.001,"maximum_s":0.2}},"tests":[{"duration_s":2000,"kind":"none","name":"free"}]}','{"kind":"search","name":"cut off","problem":"linear_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["1"],"integrators":{"coupling":["exact"],"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.001,"increment_s":0.0001,"maximum_s":0.2},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"accuracy":null,"stability_check":"all","validate_unseen":false,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"free","kind":"none","duration_s":2000.0}]}');
INSERT INTO documents VALUES('e11e3a719e74a68a','{"version":"0.1.0","build_id":"c6c43d13fc174a6d7d6157983539a1d588a7b85e","math_class":"0588345370f7f3f2"}',NULL,'{"name":"waits","priority":7,"problem":"linear_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["1"],"macro_step":{"increment_s":0.02,"initial_s":0.02,"maximum_s":0.2}},"tests":[{"duration_s":4,"kind":"none","name":"free"}]}','{"kind":"search","name":"waits","problem":"linear_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["1"],"integrators":{"coupling":["exact"],"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.02,"increment_s":0.02,"maximum_s":0.2},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"accuracy":null,"stability_check":"all","validate_unseen":false,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"free","kind":"none","duration_s":4.0}]}');
CREATE TABLE configurations (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  configuration_id INTEGER NOT NULL CHECK (configuration_id >= 0),
  coupling TEXT NOT NULL,
  scheme TEXT NOT NULL,
  extrapolation TEXT NOT NULL,
  integrators TEXT NOT NULL CHECK (json_valid(integrators)),
  substeps TEXT NOT NULL CHECK (json_valid(substeps)),
  correction TEXT NOT NULL,
  configuration TEXT NOT NULL CHECK (json_valid(configuration)), subsystem_order TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(subsystem_order)),
  PRIMARY KEY (search_id, configuration_id)
) STRICT, WITHOUT ROWID;
INSERT INTO configurations VALUES('156f38638681b225',0,'force_displacement','jacobi','0','{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('156f38638681b225',1,'force_displacement','jacobi','1','{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('35ee5384e3e2f27a',0,'force_displacement','jacobi','1','{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('9d5706bf05f651cc',0,'force_displacement','jacobi','1','{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}','[]');
CREATE TABLE curves (
  search_id TEXT NOT NULL,
  curve_id INTEGER NOT NULL CHECK (curve_id >= 0),
  configuration_id INTEGER NOT NULL,
  test TEXT NOT NULL,
  bend_s REAL,
  cliff_s REAL,
  slope REAL,
  fit_coefficient REAL,
  fit_exponent REAL,
  reason TEXT,
  flags TEXT NOT NULL CHECK (json_valid(flags)),
  weighted_rhs_evaluations REAL, counts INTEGER CHECK (counts IN (0, 1)), stability_limit_s REAL, rejected_from_s REAL,
  PRIMARY KEY (search_id, curve_id),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO curves VALUES('156f38638681b225',0,0,'free',0.009765625,0.023841857910199999726,2.9499143450286990919,477224161586.20257569,2.9499143450286990919,'at H = 12.2 ms the residual of 1.558e+06 J is more than 1.35 times the 1.082e+06 J of the line','["unstable"]',NULL,0,NULL,NULL);
INSERT INTO curves VALUES('156f38638681b225',1,1,'free',0.01220703125,0.023841857910199999726,2.3783867572655639222,1066368425.0370682477,2.3783867572655639222,'at H = 15.2 ms the residual of 7.86e+04 J is more than 1.35 times the 5.101e+04 J of the line','["cut_at_stability_limit"]',1280.0,1,0.0075412750244140628469,NULL);
INSERT INTO curves VALUES('35ee5384e3e2f27a',0,0,'free',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL);
INSERT INTO curves VALUES('9d5706bf05f651cc',0,0,'free',0.01220703125,0.023841857910199999726,2.3783867572655639222,1066368425.0370682477,2.3783867572655639222,'at H = 15.2 ms the residual of 7.86e+04 J is more than 1.35 times the 5.101e+04 J of the line','["cut_at_stability_limit"]',1280.0,1,0.0075412750244140628469,NULL);
CREATE TABLE trials (
  search_id TEXT NOT NULL,
  trial_id INTEGER NOT NULL CHECK (trial_id >= 0),
  curve_id INTEGER NOT NULL,
  point INTEGER NOT NULL CHECK (point >= 0),
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  status TEXT NOT NULL CHECK (status <> ''),
  reason TEXT,
  residual_J REAL,
  startup_residual_J REAL,
  relative_residual REAL,
  transmitted_J REAL,
  bond_residuals_J TEXT NOT NULL CHECK (json_valid(bond_residuals_J)),
  nrmse REAL,
  macro_steps INTEGER NOT NULL,
  rhs_evaluations INTEGER NOT NULL,
  cost REAL,
  wall_s REAL,
  inside_linear_region INTEGER CHECK (inside_linear_region IN (0, 1)),
  PRIMARY KEY (search_id, trial_id),
  FOREIGN KEY (search_id, curve_id) REFERENCES curves ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO trials VALUES('156f38638681b225',0,1,0,0.020000000000000000416,'complete',NULL,750526.4377550499048,2550.9487354880002385,0.59487129273832939357,1261661.8870616601779,'[750526.4377550499]',NULL,200,400,400.0,5.8480000000000002518e-05,0);
INSERT INTO trials VALUES('156f38638681b225',1,1,1,0.025000000000000001387,'complete',NULL,30415434.332469776272,5142.6541233062744141,1.0500441757311618218,28965861.661287769675,'[30415434.332469776]',NULL,160,320,320.0,2.9023999999999998584e-05,0);
INSERT INTO trials VALUES('156f38638681b225',2,1,2,0.03125,'diverged','an output grew beyond 10000 times its nominal value at 2.5 s',122975051.035143435,10422.079678315654746,1.4751447037306153475,83364737.523133605719,'[122975051.03514344]',NULL,80,160,160.0,1.8354000000000000793e-05,0);
INSERT INTO trials VALUES('156f38638681b225',3,1,3,0.010000000000000000208,'complete',NULL,17941.421718261230125,326.34927426199999444,0.097510795075777256801,183994.21012123482068,'[17941.42171826123]',NULL,400,800,800.0,6.2828000000000002226e-05,1);
INSERT INTO trials VALUES('156f38638681b225',4,1,4,0.012500000000000000693,'complete',NULL,34479.903376085225318,612.35453846165910363,0.15490834249496887586,222582.61124448518967,'[34479.903376085225]',NULL,320,640,640.0,5.0865000000000001739e-05,0);
INSERT INTO trials VALUES('156f38638681b225',5,1,5,0.015625,'complete',NULL,89419.616002117429161,1189.4881840353957613,0.26812561725934047629,333498.96558234363328,'[89419.61600211743]',NULL,256,512,512.0,4.3029999999999999672e-05,0);
INSERT INTO trials VALUES('156f38638681b225',6,1,6,0.01953125,'complete',NULL,568737.30338859825859,2368.698191165864955,0.55067873572180892072,1032793.2903439948568,'[568737.3033885983]',NULL,205,410,410.0,3.4044000000000001343e-05,0);
INSERT INTO trials VALUES('156f38638681b225',7,1,7,0.005000000000000000104,'complete',NULL,3756.8125183717515937,74.665898776428733184,0.024396187512113646361,153991.78730309189995,'[3756.8125183717516]',NULL,800,1600,1600.0,0.00012060700000000000586,1);
INSERT INTO trials VALUES('156f38638681b225',8,1,8,0.0062500000000000003469,'complete',NULL,6025.3468575481983864,116.46441819229437442,0.038139527237593652542,157981.68708313431125,'[6025.346857548198]',NULL,640,1280,1280.0,9.7392999999999994003e-05,1);
INSERT INTO trials VALUES('156f38638681b225',9,1,9,0.0078125,'complete',NULL,9880.8497221957259171,181.68568941053663934,0.059478147813394520448,166125.71314755285857,'[9880.849722195726]',NULL,512,1024,1024.0,7.9117999999999997031e-05,1);
INSERT INTO trials VALUES('156f38638681b225',10,1,10,0.009765625,'complete',NULL,16895.15398722203463,305.92011519527642349,0.093107894829843773631,181457.80245701194507,'[16895.153987222035]',NULL,410,820,820.0,6.3960000000000004263e-05,1);
INSERT INTO trials VALUES('156f38638681b225',11,1,11,0.01220703125,'complete',NULL,31869.623251483859347,571.72648755536624775,0.14740492823800580013,216204.59799027824192,'[31869.62325148386]',NULL,328,656,656.0,5.1956999999999997378e-05,1);
INSERT INTO trials VALUES('156f38638681b225',12,1,12,0.0152587890625,'complete',NULL,78603.514476968746747,1106.8942974248695918,0.25107890766668755633,313062.99365184648195,'[78603.51447696875]',NULL,263,526,526.0,6.1174999999999996199e-05,0);
INSERT INTO trials VALUES('156f38638681b225',13,1,13,0.019073486328099999165,'complete',NULL,438565.71398966608102,2199.7510710782253227,0.51060910129649506039,858906.96596691559535,'[438565.7139896661]',NULL,210,420,420.0,3.5126000000000002164e-05,0);
INSERT INTO trials VALUES('156f38638681b225',14,1,14,0.023841857910199999726,'complete',NULL,11396668.638590840622,4429.142073195589546,0.93799168228200879848,12150074.306484535336,'[11396668.63859084]',NULL,168,336,336.0,2.8583999999999999408e-05,0);
INSERT INTO trials VALUES('156f38638681b225',15,0,0,0.020000000000000000416,'complete',NULL,29942852.2918811813,1342.3999999999998635,1.5751056889038410613,19010059.136234361677,'[29942852.29188118]',NULL,200,400,400.0,0.013177698999999999315,0);
INSERT INTO trials VALUES('156f38638681b225',16,0,1,0.025000000000000001387,'diverged','an output grew beyond 10000 times its nominal value at 3.65 s',79274174.602094247938,2222.65625,1.722482213476533186,46023218.110387913884,'[79274174.60209425]',NULL,146,292,292.0,4.9172999999999998286e-05,0);
INSERT INTO trials VALUES('156f38638681b225',17,0,2,0.010000000000000000208,'complete',NULL,654900.39070709771475,308.90000000000003409,0.82131025341324614963,797384.89564135693944,'[654900.3907070977]',NULL,400,800,800.0,4.5315000000000002361e-05,0);
INSERT INTO trials VALUES('156f38638681b225',18,0,3,0.012500000000000000693,'complete',NULL,1745738.9139426290058,490.478515625,1.075856251354071924,1622650.7135553129482,'[1745738.913942629]',NULL,320,640,640.0,3.5225999999999997819e-05,0);
INSERT INTO trials VALUES('156f38638681b225',19,0,4,0.015625,'complete',NULL,5799194.7099591987205,785.47000885009765625,1.3225395381165090391,4384893.2624109713362,'[5799194.709959199]',NULL,256,512,512.0,2.8683999999999998452e-05,0);
INSERT INTO trials VALUES('156f38638681b225',20,0,5,0.005000000000000000104,'complete',NULL,82551.598875614829011,75.556249999999991473,0.29691238772053024641,278033.52870987920323,'[82551.59887561483]',NULL,800,1600,1600.0,8.157299999999999978e-05,1);
INSERT INTO trials VALUES('156f38638681b225',21,0,6,0.0062500000000000003469,'complete',NULL,141996.03439920290839,118.5455322265625,0.41349177116218099881,343407.15898674749769,'[141996.0343992029]',NULL,640,1280,1280.0,6.5734000000000004557e-05,1);
INSERT INTO trials VALUES('156f38638681b225',22,0,7,0.0078125,'complete',NULL,271682.85826289874968,186.42097711563110351,0.57806234521253441194,469988.85243599454407,'[271682.85826289875]',NULL,512,1024,1024.0,5.4762000000000001865e-05,1);
INSERT INTO trials VALUES('156f38638681b225',23,0,8,0.009765625,'complete',NULL,596647.20026813680307,294.19679776765406131,0.7963018837191363497,749272.62193766236307,'[596647.2002681368]',NULL,410,820,820.0,4.3591000000000003277e-05,1);
INSERT INTO trials VALUES('156f38638681b225',24,0,9,0.01220703125,'complete',NULL,1557918.2552668014541,466.79680565375747391,1.0509861661300612389,1482339.4498172742314,'[1557918.2552668015]',NULL,328,656,656.0,3.5577000000000001743e-05,0);
INSERT INTO trials VALUES('156f38638681b225',25,0,10,0.0152587890625,'complete',NULL,5044410.1511355433613,746.73892763721380562,1.3057092574232911363,3863348.6914922147989,'[5044410.151135543]',NULL,263,526,526.0,2.9243999999999999866e-05,0);
INSERT INTO trials VALUES('156f38638681b225',26,0,11,0.019073486328099999165,'complete',NULL,21233333.283458154649,1209.1841613515862263,1.5461050934735838247,13733434.663069324567,'[21233333.283458155]',NULL,210,420,420.0,2.380400000000000113e-05,0);
INSERT INTO trials VALUES('156f38638681b225',27,0,12,0.023841857910199999726,'diverged','an output grew beyond 10000 times its nominal value at 3.83854 s',84058870.795069709422,1992.8770756654985234,1.7046973870748769464,49310142.335178881885,'[84058870.79506971]',NULL,161,322,322.0,1.9647000000000000102e-05,0);
INSERT INTO trials VALUES('35ee5384e3e2f27a',0,0,0,0.0010000000000000000208,'complete',NULL,75872.680286832284764,2.9993594806610412994,0.00097452635700113077882,77855955.092186644671,'[75872.68028683228]',NULL,2000000,4000000,4000000.0,1.1313682879999999997,NULL);
INSERT INTO trials VALUES('9d5706bf05f651cc',0,0,0,0.020000000000000000416,'complete',NULL,750526.4377550499048,2550.9487354880002385,0.59487129273832939357,1261661.8870616601779,'[750526.4377550499]',NULL,200,400,400.0,5.4372000000000000516e-05,0);
INSERT INTO trials VALUES('9d5706bf05f651cc',1,0,1,0.025000000000000001387,'complete',NULL,30415434.332469776272,5142.6541233062744141,1.0500441757311618218,28965861.661287769675,'[30415434.332469776]',NULL,160,320,320.0,2.4947000000000000181e-05,0);
INSERT INTO trials VALUES('9d5706bf05f651cc',2,0,2,0.03125,'diverged','an output grew beyond 10000 times its nominal value at 2.5 s',122975051.035143435,10422.079678315654746,1.4751447037306153475,83364737.523133605719,'[122975051.03514344]',NULL,80,160,160.0,1.7201999999999998948e-05,0);
INSERT INTO trials VALUES('9d5706bf05f651cc',3,0,3,0.010000000000000000208,'complete',NULL,17941.421718261230125,326.34927426199999444,0.097510795075777256801,183994.21012123482068,'[17941.42171826123]',NULL,400,800,800.0,5.1416999999999999163e-05,1);
INSERT INTO trials VALUES('9d5706bf05f651cc',4,0,4,0.012500000000000000693,'complete',NULL,34479.903376085225318,612.35453846165910363,0.15490834249496887586,222582.61124448518967,'[34479.903376085225]',NULL,320,640,640.0,4.1246999999999999974e-05,0);
INSERT INTO trials VALUES('9d5706bf05f651cc',5,0,5,0.015625,'complete',NULL,89419.616002117429161,1189.4881840353957613,0.26812561725934047629,333498.96558234363328,'[89419.61600211743]',NULL,256,512,512.0,3.4153999999999998596e-05,0);
INSERT INTO trials VALUES('9d5706bf05f651cc',6,0,6,0.01953125,'complete',NULL,568737.30338859825859,2368.698191165864955,0.55067873572180892072,1032793.2903439948568,'[568737.3033885983]',NULL,205,410,410.0,2.7712000000000001659e-05,0);
INSERT INTO trials VALUES('9d5706bf05f651cc',7,0,7,0.005000000000000000104,'complete',NULL,3756.8125183717515937,74.665898776428733184,0.024396187512113646361,153991.78730309189995,'[3756.8125183717516]',NULL,800,1600,1600.0,9.8283999999999996149e-05,1);
INSERT INTO trials VALUES('9d5706bf05f651cc',8,0,8,0.0062500000000000003469,'complete',NULL,6025.3468575481983864,116.46441819229437442,0.038139527237593652542,157981.68708313431125,'[6025.346857548198]',NULL,640,1280,1280.0,7.8967999999999993385e-05,1);
INSERT INTO trials VALUES('9d5706bf05f651cc',9,0,9,0.0078125,'complete',NULL,9880.8497221957259171,181.68568941053663934,0.059478147813394520448,166125.71314755285857,'[9880.849722195726]',NULL,512,1024,1024.0,6.4621000000000003524e-05,1);
INSERT INTO trials VALUES('9d5706bf05f651cc',10,0,10,0.009765625,'complete',NULL,16895.15398722203463,305.92011519527642349,0.093107894829843773631,181457.80245701194507,'[16895.153987222035]',NULL,410,820,820.0,5.2278000000000003286e-05,1);
INSERT INTO trials VALUES('9d5706bf05f651cc',11,0,11,0.01220703125,'complete',NULL,31869.623251483859347,571.72648755536624775,0.14740492823800580013,216204.59799027824192,'[31869.62325148386]',NULL,328,656,656.0,4.2358999999999998814e-05,1);
INSERT INTO trials VALUES('9d5706bf05f651cc',12,0,12,0.0152587890625,'complete',NULL,78603.514476968746747,1106.8942974248695918,0.25107890766668755633,313062.99365184648195,'[78603.51447696875]',NULL,263,526,526.0,3.4715000000000002203e-05,0);
INSERT INTO trials VALUES('9d5706bf05f651cc',13,0,13,0.019073486328099999165,'complete',NULL,438565.71398966608102,2199.7510710782253227,0.51060910129649506039,858906.96596691559535,'[438565.7139896661]',NULL,210,420,420.0,2.8433000000000000348e-05,0);
INSERT INTO trials VALUES('9d5706bf05f651cc',14,0,14,0.023841857910199999726,'complete',NULL,11396668.638590840622,4429.142073195589546,0.93799168228200879848,12150074.306484535336,'[11396668.63859084]',NULL,168,336,336.0,2.3193999999999998498e-05,0);
CREATE TABLE recommendations (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  rule TEXT NOT NULL CHECK (rule <> ''),
  configuration_id INTEGER,
  macro_step_s REAL,
  bend_s REAL,
  cliff_s REAL,
  relative_residual REAL,
  confidence REAL,
  reason TEXT,
  recommendation TEXT CHECK (recommendation IS NULL OR json_valid(recommendation)),
  PRIMARY KEY (search_id, rule),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO recommendations VALUES('156f38638681b225','max_min',1,0.0062500000000000003469,0.01220703125,0.023841857910199999726,0.038139527237593652542,NULL,'of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":{"nrmse":0.21511860238132785,"max":0.6875044042720685,"test":"free","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"checks":[{"check":"growth","verdict":"agrees","value":1.055559370609775,"limit":1.1,"detail":""}],"warnings":["stable but not accurate: the outputs are off by 22 % of their standard deviation in test free (NRMSE); choose a smaller H for results; accuracy sets a limit","little margin: by the exact analysis it is unstable beyond 7.54 ms, only 1.207 times H; take a smaller H where the rig may differ from the model","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free","there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 2 s, ramp of 2 s, impulse of 2 s, sine of 2 s are missing: add them, or give the job no tests)"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %.","ties":[]}');
INSERT INTO recommendations VALUES('156f38638681b225','paper',1,0.0062500000000000003469,0.01220703125,0.023841857910199999726,0.038139527237593652542,NULL,'the smallest row of the table, that of test free','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":null,"correction_gain":null,"rule":"paper","confidence":null,"checks":[{"check":"growth","verdict":"agrees","value":1.055559370609775,"limit":1.1,"detail":""}],"warnings":["the residual is 3.8 % of the energy that the coupling transmits in test free: expect clear errors of the outputs; accuracy sets a limit","little margin: by the exact analysis it is unstable beyond 7.54 ms, only 1.207 times H; take a smaller H where the rig may differ from the model","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free","there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 2 s, ramp of 2 s, impulse of 2 s, sine of 2 s are missing: add them, or give the job no tests)"],"reason":"the smallest row of the table, that of test free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the smallest row of the table, that of test free.","ties":[]}');
INSERT INTO recommendations VALUES('9d5706bf05f651cc','max_min',0,0.0062500000000000003469,0.01220703125,0.023841857910199999726,0.038139527237593652542,NULL,'of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":{"nrmse":0.21511860238132785,"max":0.6875044042720685,"test":"free","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"checks":[{"check":"growth","verdict":"agrees","value":1.055559370609775,"limit":1.1,"detail":""}],"warnings":["stable but not accurate: the outputs are off by 22 % of their standard deviation in test free (NRMSE); choose a smaller H for results; accuracy sets a limit","little margin: by the exact analysis it is unstable beyond 7.54 ms, only 1.207 times H; take a smaller H where the rig may differ from the model","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free","there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 2 s, ramp of 2 s, impulse of 2 s, sine of 2 s are missing: add them, or give the job no tests)"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %.","ties":[]}');
INSERT INTO recommendations VALUES('9d5706bf05f651cc','paper',0,0.0062500000000000003469,0.01220703125,0.023841857910199999726,0.038139527237593652542,NULL,'the smallest row of the table, that of test free','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":null,"correction_gain":null,"rule":"paper","confidence":null,"checks":[{"check":"growth","verdict":"agrees","value":1.055559370609775,"limit":1.1,"detail":""}],"warnings":["the residual is 3.8 % of the energy that the coupling transmits in test free: expect clear errors of the outputs; accuracy sets a limit","little margin: by the exact analysis it is unstable beyond 7.54 ms, only 1.207 times H; take a smaller H where the rig may differ from the model","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free","there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 2 s, ramp of 2 s, impulse of 2 s, sine of 2 s are missing: add them, or give the job no tests)"],"reason":"the smallest row of the table, that of test free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the smallest row of the table, that of test free.","ties":[]}');
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name <> ''),
  data TEXT NOT NULL CHECK (json_valid(data))
) STRICT;
INSERT INTO events VALUES(1,'156f38638681b225','status','{"search":"156f38638681b225","status":"queued","progress":{"curves_done":0,"curves_total":2,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(2,'156f38638681b225','status','{"search":"156f38638681b225","status":"running","progress":{"curves_done":0,"curves_total":2,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(3,'156f38638681b225','points','{"search":"156f38638681b225","points":[{"curve_id":1,"trial_id":0,"macro_step_s":0.02,"residual_J":750526.4377550499,"relative_residual":0.5948712927383294,"status":"complete"},{"curve_id":1,"trial_id":1,"macro_step_s":0.025,"residual_J":30415434.332469776,"relative_residual":1.0500441757311618,"status":"complete"},{"curve_id":1,"trial_id":2,"macro_step_s":0.03125,"residual_J":122975051.03514344,"relative_residual":1.4751447037306153,"status":"diverged"},{"curve_id":1,"trial_id":3,"macro_step_s":0.01,"residual_J":17941.42171826123,"relative_residual":0.09751079507577726,"status":"complete"},{"curve_id":1,"trial_id":4,"macro_step_s":0.0125,"residual_J":34479.903376085225,"relative_residual":0.15490834249496888,"status":"complete"},{"curve_id":1,"trial_id":5,"macro_step_s":0.015625,"residual_J":89419.61600211743,"relative_residual":0.2681256172593405,"status":"complete"},{"curve_id":1,"trial_id":6,"macro_step_s":0.01953125,"residual_J":568737.3033885983,"relative_residual":0.5506787357218089,"status":"complete"},{"curve_id":1,"trial_id":7,"macro_step_s":0.005,"residual_J":3756.8125183717516,"relative_residual":0.024396187512113646,"status":"complete"},{"curve_id":1,"trial_id":8,"macro_step_s":0.00625,"residual_J":6025.346857548198,"relative_residual":0.03813952723759365,"status":"complete"},{"curve_id":1,"trial_id":9,"macro_step_s":0.0078125,"residual_J":9880.849722195726,"relative_residual":0.05947814781339452,"status":"complete"},{"curve_id":1,"trial_id":10,"macro_step_s":0.009765625,"residual_J":16895.153987222035,"relative_residual":0.09310789482984377,"status":"complete"},{"curve_id":1,"trial_id":11,"macro_step_s":0.01220703125,"residual_J":31869.62325148386,"relative_residual":0.1474049282380058,"status":"complete"},{"curve_id":1,"trial_id":12,"macro_step_s":0.0152587890625,"residual_J":78603.51447696875,"relative_residual":0.25107890766668756,"status":"complete"},{"curve_id":1,"trial_id":13,"macro_step_s":0.0190734863281,"residual_J":438565.7139896661,"relative_residual":0.5106091012964951,"status":"complete"},{"curve_id":1,"trial_id":14,"macro_step_s":0.0238418579102,"residual_J":11396668.63859084,"relative_residual":0.9379916822820088,"status":"complete"},{"curve_id":0,"trial_id":15,"macro_step_s":0.02,"residual_J":29942852.29188118,"relative_residual":1.575105688903841,"status":"complete"},{"curve_id":0,"trial_id":16,"macro_step_s":0.025,"residual_J":79274174.60209425,"relative_residual":1.7224822134765332,"status":"diverged"},{"curve_id":0,"trial_id":17,"macro_step_s":0.01,"residual_J":654900.3907070977,"relative_residual":0.8213102534132461,"status":"complete"},{"curve_id":0,"trial_id":18,"macro_step_s":0.0125,"residual_J":1745738.913942629,"relative_residual":1.075856251354072,"status":"complete"},{"curve_id":0,"trial_id":19,"macro_step_s":0.015625,"residual_J":5799194.709959199,"relative_residual":1.322539538116509,"status":"complete"},{"curve_id":0,"trial_id":20,"macro_step_s":0.005,"residual_J":82551.59887561483,"relative_residual":0.29691238772053025,"status":"complete"},{"curve_id":0,"trial_id":21,"macro_step_s":0.00625,"residual_J":141996.0343992029,"relative_residual":0.413491771162181,"status":"complete"},{"curve_id":0,"trial_id":22,"macro_step_s":0.0078125,"residual_J":271682.85826289875,"relative_residual":0.5780623452125344,"status":"complete"},{"curve_id":0,"trial_id":23,"macro_step_s":0.009765625,"residual_J":596647.2002681368,"relative_residual":0.7963018837191363,"status":"complete"},{"curve_id":0,"trial_id":24,"macro_step_s":0.01220703125,"residual_J":1557918.2552668015,"relative_residual":1.0509861661300612,"status":"complete"},{"curve_id":0,"trial_id":25,"macro_step_s":0.0152587890625,"residual_J":5044410.151135543,"relative_residual":1.3057092574232911,"status":"complete"},{"curve_id":0,"trial_id":26,"macro_step_s":0.0190734863281,"residual_J":21233333.283458155,"relative_residual":1.5461050934735838,"status":"complete"},{"curve_id":0,"trial_id":27,"macro_step_s":0.0238418579102,"residual_J":84058870.79506971,"relative_residual":1.704697387074877,"status":"diverged"}],"progress":{"curves_done":1,"curves_total":2,"trials_done":28,"cost_done":19196,"cost_expected":20043.766666666666,"eta_s":null}}');
INSERT INTO events VALUES(4,'156f38638681b225','finished','{"search":"156f38638681b225","status":"succeeded","recommendation":{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":{"nrmse":0.21511860238132785,"max":0.6875044042720685,"test":"free","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"checks":[{"check":"growth","verdict":"agrees","value":1.055559370609775,"limit":1.1,"detail":""}],"warnings":["stable but not accurate: the outputs are off by 22 % of their standard deviation in test free (NRMSE); choose a smaller H for results; accuracy sets a limit","little margin: by the exact analysis it is unstable beyond 7.54 ms, only 1.207 times H; take a smaller H where the rig may differ from the model","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free","there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 2 s, ramp of 2 s, impulse of 2 s, sine of 2 s are missing: add them, or give the job no tests)"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %.","ties":[]},"reason":null,"sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %."}');
INSERT INTO events VALUES(5,'9d5706bf05f651cc','status','{"search":"9d5706bf05f651cc","status":"queued","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(6,'9d5706bf05f651cc','status','{"search":"9d5706bf05f651cc","status":"running","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(7,'9d5706bf05f651cc','points','{"search":"9d5706bf05f651cc","points":[{"curve_id":0,"trial_id":0,"macro_step_s":0.02,"residual_J":750526.4377550499,"relative_residual":0.5948712927383294,"status":"complete"},{"curve_id":0,"trial_id":1,"macro_step_s":0.025,"residual_J":30415434.332469776,"relative_residual":1.0500441757311618,"status":"complete"},{"curve_id":0,"trial_id":2,"macro_step_s":0.03125,"residual_J":122975051.03514344,"relative_residual":1.4751447037306153,"status":"diverged"},{"curve_id":0,"trial_id":3,"macro_step_s":0.01,"residual_J":17941.42171826123,"relative_residual":0.09751079507577726,"status":"complete"},{"curve_id":0,"trial_id":4,"macro_step_s":0.0125,"residual_J":34479.903376085225,"relative_residual":0.15490834249496888,"status":"complete"},{"curve_id":0,"trial_id":5,"macro_step_s":0.015625,"residual_J":89419.61600211743,"relative_residual":0.2681256172593405,"status":"complete"},{"curve_id":0,"trial_id":6,"macro_step_s":0.01953125,"residual_J":568737.3033885983,"relative_residual":0.5506787357218089,"status":"complete"},{"curve_id":0,"trial_id":7,"macro_step_s":0.005,"residual_J":3756.8125183717516,"relative_residual":0.024396187512113646,"status":"complete"},{"curve_id":0,"trial_id":8,"macro_step_s":0.00625,"residual_J":6025.346857548198,"relative_residual":0.03813952723759365,"status":"complete"},{"curve_id":0,"trial_id":9,"macro_step_s":0.0078125,"residual_J":9880.849722195726,"relative_residual":0.05947814781339452,"status":"complete"},{"curve_id":0,"trial_id":10,"macro_step_s":0.009765625,"residual_J":16895.153987222035,"relative_residual":0.09310789482984377,"status":"complete"},{"curve_id":0,"trial_id":11,"macro_step_s":0.01220703125,"residual_J":31869.62325148386,"relative_residual":0.1474049282380058,"status":"complete"},{"curve_id":0,"trial_id":12,"macro_step_s":0.0152587890625,"residual_J":78603.51447696875,"relative_residual":0.25107890766668756,"status":"complete"},{"curve_id":0,"trial_id":13,"macro_step_s":0.0190734863281,"residual_J":438565.7139896661,"relative_residual":0.5106091012964951,"status":"complete"},{"curve_id":0,"trial_id":14,"macro_step_s":0.0238418579102,"residual_J":11396668.63859084,"relative_residual":0.9379916822820088,"status":"complete"}],"progress":{"curves_done":0,"curves_total":1,"trials_done":15,"cost_done":9904,"cost_expected":10038.6,"eta_s":null}}');
INSERT INTO events VALUES(8,'9d5706bf05f651cc','finished','{"search":"9d5706bf05f651cc","status":"succeeded","recommendation":{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":{"nrmse":0.21511860238132785,"max":0.6875044042720685,"test":"free","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"checks":[{"check":"growth","verdict":"agrees","value":1.055559370609775,"limit":1.1,"detail":""}],"warnings":["stable but not accurate: the outputs are off by 22 % of their standard deviation in test free (NRMSE); choose a smaller H for results; accuracy sets a limit","little margin: by the exact analysis it is unstable beyond 7.54 ms, only 1.207 times H; take a smaller H where the rig may differ from the model","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free","there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 2 s, ramp of 2 s, impulse of 2 s, sine of 2 s are missing: add them, or give the job no tests)"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %.","ties":[]},"reason":null,"sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %."}');
INSERT INTO events VALUES(9,'35ee5384e3e2f27a','status','{"search":"35ee5384e3e2f27a","status":"queued","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(10,'35ee5384e3e2f27a','status','{"search":"35ee5384e3e2f27a","status":"running","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(11,'e11e3a719e74a68a','status','{"search":"e11e3a719e74a68a","status":"queued","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(12,'35ee5384e3e2f27a','points','{"search":"35ee5384e3e2f27a","points":[{"curve_id":0,"trial_id":0,"macro_step_s":0.001,"residual_J":75872.68028683228,"relative_residual":0.0009745263570011308,"status":"complete"}],"progress":{"curves_done":0,"curves_total":1,"trials_done":1,"cost_done":4e+06,"cost_expected":13446400,"eta_s":2.6721454925952006}}');
CREATE TABLE idempotency_keys (
  idempotency_key TEXT NOT NULL PRIMARY KEY CHECK (idempotency_key <> ''),
  search_id TEXT NOT NULL UNIQUE REFERENCES searches ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO idempotency_keys VALUES('old-key','156f38638681b225');
CREATE TABLE analyses (
  id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
  kind TEXT NOT NULL CHECK (kind <> ''),
  name TEXT NOT NULL,
  problem TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted')),
  created_at TEXT NOT NULL CHECK (created_at GLOB '20??-??-??T??:??:??.???Z'),
  started_at TEXT CHECK (started_at GLOB '20??-??-??T??:??:??.???Z'),
  finished_at TEXT CHECK (finished_at GLOB '20??-??-??T??:??:??.???Z'),
  reason TEXT,
  points_done INTEGER NOT NULL DEFAULT 0,
  points_total INTEGER NOT NULL DEFAULT 0,
  wall_s REAL
) STRICT;
INSERT INTO analyses VALUES('37f275b6ef9113d2','map','old map','stiff_oscillator','succeeded','2026-11-24T22:55:26.839Z','2026-11-24T22:55:26.862Z','2026-11-24T22:55:26.869Z',NULL,6,6,0.0036900420000000001483);
CREATE TABLE analysis_documents (
  analysis_id TEXT NOT NULL PRIMARY KEY REFERENCES analyses ON DELETE CASCADE,
  job TEXT NOT NULL CHECK (json_valid(job)),
  plan TEXT NOT NULL CHECK (json_valid(plan)),
  result TEXT CHECK (result IS NULL OR json_valid(result))
) STRICT;
INSERT INTO analysis_documents VALUES('37f275b6ef9113d2','{"kind":"map","map":{"macro_steps_s":[1e-05,0.001],"x":{"count":3,"maximum":10000000000.0,"minimum":1,"parameter":"coupling.c_k"},"y":{"count":2,"maximum":1000000.0,"minimum":1,"parameter":"coupling.d_k"}},"name":"old map","problem":"stiff_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["0"]}}','{"kind":"map","name":"old map","problem":"stiff_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["0"],"integrators":{"coupling":["exact"],"m1":["exact"],"m2":["exact"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":2e-05,"increment_s":2e-05,"maximum_s":0.01},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"accuracy":null,"stability_check":"all","validate_unseen":false,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"none","kind":"none","duration_s":0.3},{"name":"step","kind":"step","duration_s":0.3},{"name":"ramp","kind":"ramp","duration_s":0.3},{"name":"impulse","kind":"impulse","width_s":0.12,"duration_s":0.3},{"name":"sine_50hz","kind":"sine","frequency_hz":50.0,"periods":15.0}],"map":{"x":{"parameter":"coupling.c_k","minimum":1.0,"maximum":10000000000.0,"count":3,"scale":"log"},"y":{"parameter":"coupling.d_k","minimum":1.0,"maximum":1000000.0,"count":2,"scale":"log"},"macro_steps_s":[1e-05,0.001],"quantity":"stability","error_max":0.01,"test":"none"}}','{"problem":"stiff_oscillator","quantity":"stability","limit":1.000000001,"test":null,"x":{"parameter":"coupling.c_k","unit":"N/m","scale":"log","values":[1.0,100000.0,10000000000.0]},"y":{"parameter":"coupling.d_k","unit":"N s/m","scale":"log","values":[1.0,1000000.0]},"macro_steps_s":[1e-05,0.001],"configurations":[{"label":"extrapolation 0","configuration":{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"exact","m2":"exact"},"substeps":{},"correction":"none"},"layers":[{"macro_step_s":1e-05,"points_within_limit":2,"points_without_value":[]},{"macro_step_s":0.001,"points_within_limit":1,"points_without_value":[]}],"largest_macro_step_s":[[0.001,1e-05,null],[null,null,null]]}]}');
CREATE TABLE map_axes (
  analysis_id TEXT NOT NULL REFERENCES analyses ON DELETE CASCADE,
  axis TEXT NOT NULL CHECK (axis IN ('x', 'y')),
  position INTEGER NOT NULL CHECK (position >= 0),
  parameter TEXT NOT NULL,
  unit TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (analysis_id, axis, position)
) STRICT, WITHOUT ROWID;
INSERT INTO map_axes VALUES('37f275b6ef9113d2','x',0,'coupling.c_k','N/m',1.0);
INSERT INTO map_axes VALUES('37f275b6ef9113d2','x',1,'coupling.c_k','N/m',100000.0);
INSERT INTO map_axes VALUES('37f275b6ef9113d2','x',2,'coupling.c_k','N/m',10000000000.0);
INSERT INTO map_axes VALUES('37f275b6ef9113d2','y',0,'coupling.d_k','N s/m',1.0);
INSERT INTO map_axes VALUES('37f275b6ef9113d2','y',1,'coupling.d_k','N s/m',1000000.0);
CREATE TABLE map_layers (
  analysis_id TEXT NOT NULL REFERENCES analyses ON DELETE CASCADE,
  layer INTEGER NOT NULL CHECK (layer >= 0),
  configuration_id INTEGER NOT NULL,
  coupling TEXT NOT NULL,
  scheme TEXT NOT NULL,
  extrapolation TEXT NOT NULL,
  integrators TEXT NOT NULL CHECK (json_valid(integrators)),
  correction TEXT NOT NULL,
  configuration TEXT NOT NULL CHECK (json_valid(configuration)),
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  quantity TEXT NOT NULL,
  value_limit REAL NOT NULL,
  columns INTEGER NOT NULL CHECK (columns > 0),
  point_values TEXT NOT NULL CHECK (json_valid(point_values)),
  PRIMARY KEY (analysis_id, layer)
) STRICT;
INSERT INTO map_layers VALUES('37f275b6ef9113d2',0,0,'force_displacement','jacobi','0','{"coupling":"exact","m1":"exact","m2":"exact"}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"exact","m2":"exact"},"substeps":{},"correction":"none"}',1.0000000000000000817e-05,'stability',1.0000000010000000827,3,'[0.9999990000124885,0.9999997554027678,1.0535552860411552,1.0000153917643064,1.0000155238820254,1.0232435176504553]');
INSERT INTO map_layers VALUES('37f275b6ef9113d2',1,0,'force_displacement','jacobi','0','{"coupling":"exact","m1":"exact","m2":"exact"}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"exact","m2":"exact"},"substeps":{},"correction":"none"}',0.0010000000000000000208,'stability',1.0000000010000000827,3,'[0.9999057700146134,1.0069667148854546,22.075116367142655,1.403447325311982,1.403447045182929,1.4171189908304171]');
CREATE TABLE fmus (
  sha256 TEXT NOT NULL PRIMARY KEY CHECK (length(sha256) = 64),
  file_name TEXT NOT NULL,
  model_name TEXT NOT NULL,
  fmi_version TEXT NOT NULL,
  interfaces TEXT NOT NULL CHECK (json_valid(interfaces)),
  size_bytes INTEGER NOT NULL CHECK (size_bytes > 0),
  uploaded_at TEXT NOT NULL CHECK (uploaded_at GLOB '20??-??-??T??:??:??.???Z')
) STRICT;
INSERT INTO fmus VALUES('6cdb79cd3184f18d46b9c5b054863e86b75aedec9462b225b2c7de4567a2685d','m1.fmu','linear_oscillator.m1','2.0','["co_simulation","model_exchange"]',1393561,'2026-11-24T22:55:31.496Z');
CREATE TABLE search_tags (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  tag TEXT NOT NULL CHECK (tag <> ''),
  created_at TEXT NOT NULL,
  PRIMARY KEY (search_id, tag)
) STRICT, WITHOUT ROWID;
INSERT INTO search_tags VALUES('156f38638681b225','kept','2026-11-24T22:55:25.890Z');
INSERT INTO search_tags VALUES('156f38638681b225','rig 2','2026-11-24T22:55:25.890Z');
CREATE TABLE analysis_idempotency_keys (
  idempotency_key TEXT NOT NULL PRIMARY KEY CHECK (idempotency_key <> ''),
  analysis_id TEXT NOT NULL UNIQUE REFERENCES analyses ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO analysis_idempotency_keys VALUES('old-map-key','37f275b6ef9113d2');
CREATE TABLE traces (
  id INTEGER PRIMARY KEY,
  search_id TEXT NOT NULL,
  trial_id INTEGER NOT NULL,
  request TEXT NOT NULL CHECK (json_valid(request)),
  status TEXT NOT NULL CHECK (status <> ''),
  reason TEXT,
  points_total INTEGER NOT NULL CHECK (points_total >= 0),
  columns TEXT NOT NULL CHECK (json_valid(columns)),
  rows INTEGER NOT NULL CHECK (rows >= 0),
  series BLOB NOT NULL,
  size_bytes INTEGER NOT NULL CHECK (size_bytes > 0),
  used_at TEXT NOT NULL CHECK (used_at GLOB '20??-??-??T??:??:??.???Z'),
  reference TEXT CHECK (reference IS NULL OR json_valid(reference)),
  reference_reason TEXT,
  UNIQUE (search_id, trial_id, request),
  FOREIGN KEY (search_id, trial_id) REFERENCES trials ON DELETE CASCADE
) STRICT;
INSERT INTO traces VALUES(1,'156f38638681b225',3,'{"points":10,"build_id":"c6c43d13fc174a6d7d6157983539a1d588a7b85e"}','complete',NULL,401,'["t","m1.x","m1.v","m1.f","m1.energy","m2.x","m2.v","m2.energy","residual_power_W","m1.f_ext","m2.f_ext"]',10,X'789c6360400617ec21f40b28fd054aff81d24c0e109a0d4a7341693e282de0003369b7f53b07b1723187d4d0e698d0cb0a0e0d932dc23c2ebcdeff3589ffeaadeb0a07a6d4aa98f905081ef8a2fd782b9382b8c3a5578b4d56242a38fc93f612bef6e1db7e2dad19173fb34b43cd8b74d0393c9b639a7dd081a9a12f820314dc1d22be9bc89b2d0f71d8f6b7d3a2fc8c9283badca21bbf4f051c68e88ce62da805d2f30bf7afd9ebe820da2815d1fe2bc26182d2ee53675f051c80b96f2ddfc18812c62e075199e3febc3e1d0e798be59d3fefa83e206365bba96377f581f8c8ebcec95a450776ed3acde8941de1708f81a921f47ebfc39175335be227f9387cb63adb21abdd0d715fc76687ce9c8d4fe37b763874ef354a908cdbe8107464ddb3b7fa1b1d1ea6cdac7e3367aa43f9e10615b5154b1d92791f9a45ad59e4602f109e2324b6c381fd024f3dffaccd0e3aba1113f867ee80875ff6eeab7357ee613a70ae66617e0aef43fbf98b2bcebc50e072f8222f6bdf7d84e7c0ac2de6c9a15adff7e705f169cfde28e850f5abf0cc2f875ffb9b45439af42cffef37936d5fae6bf5733f34fc0e1c0c39a0bfbecfd1e1e36ad52b25fc31073ea67e2c8bd910e8a07277e957b3e3010e7eebd31a5537271c507bf2fffaca7fce0e753bffb12fdf13eef0ca99976dc5f9b80315a13f15fa9323e0feddf738267892dd2a87b4a7d9d3f935773a7cdaa7bee5c49c7d0e8f985a198fb31d74b0fb6099a25f75d8812d6a9158e3ea230ee72bb9190edcdde6f06c6bf2fbe8de430eff2e9ddcd75db81deedf0d1192e92b7aa63a24685d9ce76375d8818151e0ccde43f31d7eec6cd87774dd3a0785ce67fff3162e3bf026434b89837ff10106b3fd610d71130e28ec3434d8d0d7e4e0c0d7917ca86c2a3c7e072b0000b18b1d3e',4096,'2026-11-24T22:55:30.264Z',NULL,NULL);
INSERT INTO traces VALUES(2,'9d5706bf05f651cc',0,'{"points":10,"build_id":"c6c43d13fc174a6d7d6157983539a1d588a7b85e"}','complete',NULL,201,'["t","m1.x","m1.v","m1.f","m1.energy","m2.x","m2.v","m2.energy","residual_power_W","m1.f_ext","m2.f_ext"]',10,X'789c636080802505b65cd7175fb00fda21d7fa3af085bd664cffa1af1a5fa0f41ffb37812009460708cd0aa539a134af03c4140128cdc0e0b9e1fc7de5ff420ebba39f4ad4bb28391848cd71fd617ac67e6f71f2d14dca4a074cca263d5accc57160d74987c845bba51da2ef3e28d1359774686fff73cb878be5c01fbfe28f4fe4c5a1e6453a68ea5f4cccb50a39d077e67ff0ff372e0e1b0e972aacd81ee9f06373126b8f17ab83a79dc893aef32107f85d18a6fe58a67d20444dadab51cdc321de9435bbdaccd441e16546c98c1276b8fbaee5edbaf741bdc3a17be395e6cdb7a6384c7fb2f5cac26d8d07d608ad54fdfa78c681f5b6e16bb6ff9ee0f0a76db2a661709bc395f73e065a5f661ce8fbe376932323e7c0fbd6e5a59ed73b0f800debd8ec30c979f5a6f34f773898ec9fa671f3f561879c94ee2d673eee72607c17985c3afda4435c4bd3c6d294430e93bfd4ef6be95fe650de9cfaefc3a4d30eeff62a30ae126970d829d5fd7e01cf1ab8fb3616ffe5ca9df4757fe7ca22f9ee63dc07d2fffe3ae8ba96d3c146de3ce06892b843d0cb67852253950fb0bc7d7098d98bf5c045bbd86b27eee93b7c90ce39f8db58c0212529ddf991233cfc0eac92fce13f2333c4c148c3fe3ff7f3b8030eec9fcc653fc41d58fb62d1aab8ce2c070b1fa1eb87b36c0e6cf1735a7a2ba8ea808ac3d21c4deb0087f78e7509c9275b1c4c569b97baf435c3fd7b795dcc6bdb491b1c7e74f749956f3ce59076f9dd321696930e195bddea45221f3b5c6e5d20af39ebb9c38ad3dceac75bbe39307c381ff5bbe9bfc3e3ada7f80e31f238fe3c74fc28ef774e47987fdb6256e8cfe9beea706af3ec69cad6df1c3e354e3a5b68f8cac16bb174308319ab63df3bd5b4cb713f1cae67eed557ba22e858ca72a84b489ac7f172e5b6936b9c941c0f9edca82f2faf0e376fb00200256c3dd7',4096,'2026-11-24T22:55:30.369Z',NULL,NULL);
CREATE TABLE search_counts (
  what TEXT NOT NULL PRIMARY KEY,
  searches INTEGER NOT NULL
) STRICT;
INSERT INTO search_counts VALUES('disposable',1);
CREATE TABLE step_times (
  search_id TEXT NOT NULL,
  configuration_id INTEGER NOT NULL,
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  macro_steps INTEGER NOT NULL CHECK (macro_steps > 0),
  median_s REAL NOT NULL,
  p999_s REAL NOT NULL,
  worst_s REAL NOT NULL,
  PRIMARY KEY (search_id, configuration_id, macro_step_s),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO step_times VALUES('156f38638681b225',1,0.005000000000000000104,5000,1.2999999999999999941e-07,1.9000000000000000726e-07,1.3175000000000000066e-05);
INSERT INTO step_times VALUES('156f38638681b225',1,0.0062500000000000003469,5000,1.2999999999999999941e-07,1.9000000000000000726e-07,2.1000000000000000109e-07);
INSERT INTO step_times VALUES('9d5706bf05f651cc',0,0.005000000000000000104,5000,1.4000000000000000954e-07,3.4999999999999998419e-07,6.0100000000000004798e-07);
INSERT INTO step_times VALUES('9d5706bf05f651cc',0,0.0062500000000000003469,5000,1.6099999999999999906e-07,4.9100000000000004235e-07,2.4304999999999998534e-05);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('events',12);
CREATE INDEX searches_by_age ON searches (created_at, id);
CREATE INDEX searches_by_status ON searches (status, created_at, id);
CREATE INDEX curves_by_configuration ON curves (search_id, configuration_id);
CREATE UNIQUE INDEX trials_by_curve ON trials (search_id, curve_id, point);
CREATE INDEX recommendations_by_configuration ON recommendations (search_id, configuration_id);
CREATE INDEX events_by_search ON events (search_id, sequence);
CREATE VIEW v_recommendations AS
SELECT r.search_id, s.name AS search_name, s.problem, s.finished_at, r.rule,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.substeps, c.correction,
       r.macro_step_s, r.bend_s, r.cliff_s, r.relative_residual, r.confidence, r.reason,
       r.recommendation -> '$.warnings' AS warnings,
       r.recommendation ->> '$.sentence' AS sentence,
       r.configuration_id, c.subsystem_order
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
LEFT JOIN configurations AS c USING (search_id, configuration_id);
CREATE VIEW v_trials AS
SELECT t.search_id, t.trial_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.status, t.reason, t.residual_J, t.startup_residual_J, t.relative_residual,
       t.nrmse, t.macro_steps, t.rhs_evaluations, t.wall_s,
       k.configuration_id, c.substeps, c.subsystem_order
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);
CREATE INDEX analyses_by_age ON analyses (created_at, id);
CREATE INDEX analyses_by_status ON analyses (status, created_at, id);
CREATE VIEW v_map_points AS
SELECT l.analysis_id, a.name AS analysis_name, a.problem, l.configuration_id,
       l.coupling, l.scheme, l.extrapolation, l.integrators, l.correction,
       x.parameter AS x_parameter, x.value AS x_value, x.unit AS x_unit,
       y.parameter AS y_parameter, y.value AS y_value, y.unit AS y_unit,
       l.macro_step_s, l.quantity,
       CASE WHEN p.type <> 'text' THEN p.value END AS value,
       CASE WHEN p.type <> 'text' THEN p.value <= l.value_limit END AS within_limit,
       CASE WHEN p.type = 'text' THEN p.value END AS reason,
       l.configuration
FROM map_layers AS l
JOIN analyses AS a ON a.id = l.analysis_id
CROSS JOIN json_each(l.point_values) AS p
CROSS JOIN map_axes AS x ON x.analysis_id = l.analysis_id AND x.axis = 'x'
  AND x.position = p.key % l.columns
CROSS JOIN map_axes AS y ON y.analysis_id = l.analysis_id AND y.axis = 'y'
  AND y.position = p.key / l.columns;
CREATE INDEX fmus_by_age ON fmus (uploaded_at, sha256);
CREATE INDEX fmus_by_file_name ON fmus (file_name);
CREATE INDEX fmus_by_model_name ON fmus (model_name);
CREATE VIEW v_fmus AS
SELECT sha256, file_name, model_name, fmi_version, interfaces, size_bytes, uploaded_at FROM fmus;
CREATE INDEX searches_by_problem ON searches (problem, created_at, id);
CREATE TRIGGER searches_inserted AFTER INSERT ON searches BEGIN
  UPDATE searches SET name_key = lower(NEW.name), end_key = ifnull(NEW.finished_at, '~')
  WHERE id = NEW.id;
END;
CREATE TRIGGER searches_updated AFTER UPDATE OF name, finished_at ON searches BEGIN
  UPDATE searches SET name_key = lower(NEW.name), end_key = ifnull(NEW.finished_at, '~')
  WHERE id = NEW.id;
END;
CREATE INDEX searches_by_name ON searches (name_key, id);
CREATE INDEX searches_by_end ON searches (end_key, id);
CREATE INDEX search_tags_by_tag ON search_tags (tag, created_at, search_id);
CREATE VIEW v_searches AS
SELECT s.id AS search_id, s.name AS search_name, s.problem, s.status, s.created_at, s.started_at,
       s.finished_at, s.note,
       (SELECT json_group_array(t.tag) FROM search_tags AS t WHERE t.search_id = s.id) AS tags,
       s.priority, s.trials_done AS trials, s.cost_rhs_evaluations AS rhs_evaluations,
       s.cost_wall_s AS wall_s, s.reason
FROM searches AS s;
CREATE INDEX traces_by_use ON traces (used_at, id, size_bytes);
CREATE VIEW v_traces AS
SELECT r.search_id, r.trial_id, t.curve_id, k.test, t.macro_step_s, r.request, r.status, r.reason,
       r.points_total, r.columns, r.rows, r.series, r.reference, r.reference_reason
FROM traces AS r
JOIN trials AS t USING (search_id, trial_id)
JOIN curves AS k USING (search_id, curve_id);
CREATE VIEW v_indicators AS
WITH trial AS NOT MATERIALIZED (
  SELECT t.search_id, t.trial_id, t.curve_id, k.configuration_id, k.test, t.macro_step_s, t.status,
         t.residual_J, t.startup_residual_J, t.relative_residual, t.transmitted_J,
         t.bond_residuals_J, t.nrmse, t.macro_steps, t.rhs_evaluations, t.cost, t.wall_s
  FROM trials AS t JOIN curves AS k USING (search_id, curve_id))
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'residual_energy' AS indicator, NULL AS power_bond, residual_J AS value, 'J' AS unit
FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'startup_residual_energy', NULL, startup_residual_J, 'J' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'bond_residual_energy', b.key, CAST(b.value AS REAL), 'J'
FROM trial CROSS JOIN json_each(bond_residuals_J) AS b
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'relative_residual', NULL, relative_residual, '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'transmitted_energy', NULL, transmitted_J, 'J' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'nrmse', NULL, nrmse, '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'macro_steps', NULL, CAST(macro_steps AS REAL), '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'rhs_evaluations', NULL, CAST(rhs_evaluations AS REAL), '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'weighted_rhs_evaluations', NULL, cost, '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'wall_time', NULL, wall_s, 's' FROM trial;
CREATE INDEX searches_disposable ON searches (end_key, id) WHERE tagged = 0 AND end_key < '~';
CREATE TRIGGER search_tags_inserted AFTER INSERT ON search_tags BEGIN
  UPDATE searches SET tagged = 1 WHERE id = NEW.search_id AND tagged = 0;
END;
CREATE TRIGGER search_tags_deleted AFTER DELETE ON search_tags BEGIN
  UPDATE searches SET tagged = 0 WHERE id = OLD.search_id
    AND NOT EXISTS (SELECT 1 FROM search_tags WHERE search_id = OLD.search_id);
END;
CREATE TRIGGER searches_counted AFTER UPDATE OF tagged, end_key ON searches
WHEN (OLD.tagged = 0 AND OLD.end_key < '~') <> (NEW.tagged = 0 AND NEW.end_key < '~') BEGIN
  UPDATE search_counts
  SET searches = searches + iif(NEW.tagged = 0 AND NEW.end_key < '~', 1, -1)
  WHERE what = 'disposable';
END;
CREATE TRIGGER searches_deleted AFTER DELETE ON searches
WHEN OLD.tagged = 0 AND OLD.end_key < '~' BEGIN
  UPDATE search_counts SET searches = searches - 1 WHERE what = 'disposable';
END;
CREATE VIEW v_step_times AS
SELECT search_id, configuration_id, macro_step_s, macro_steps, median_s, p999_s, worst_s
FROM step_times;
CREATE VIEW v_residual_curves AS
SELECT t.search_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.residual_J, t.relative_residual, t.status, t.inside_linear_region,
       k.bend_s, k.cliff_s, k.flags, k.counts,
       k.configuration_id, c.substeps, c.subsystem_order, k.stability_limit_s, k.rejected_from_s
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);
COMMIT;
PRAGMA application_id = 1296257876;
PRAGMA user_version = 7;
